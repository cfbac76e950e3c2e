import { z } from 'zod';
import { Operation } from '#schemas/operation';

/** What begins an operation, with 202 and its address. */
export const OperationAnswer = z.object({ operation: Operation });
