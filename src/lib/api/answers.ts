import { z } from 'zod';
import { Operation } from '#schemas/operation';

/** For an endpoint that starts an operation: 202 with the operation's address. */
export const OperationAnswer = z.object({ operation: Operation });
