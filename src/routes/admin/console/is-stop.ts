/** Whether a command ends the server, with everybody on it. */
export const isStop = (command: string) => /^\/?stop$/.test(command.trim());
