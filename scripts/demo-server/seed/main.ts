// usage: node scripts/demo-server/seed/main.ts DIR
import { seedDemoFolder } from './seed.ts';

/** Fills a folder with what the demo server needs; what is there already stays. */
await seedDemoFolder(process.argv[2]!);
