import { z } from 'zod';
import { json } from '../define.ts';

export const document = {
	'GET /api/openapi.json': json({
		role: 'admin',
		summary: 'This document',
		answers: { 200: z.record(z.string(), z.unknown()) }
	})
};
