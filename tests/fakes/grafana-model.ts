import { z } from 'zod';

/** What Grafana says that a dashboard is (its `kinds/dashboard`), as far as we use it, and no field that it does not know. */
const DataSource = z.strictObject({ type: z.string(), uid: z.string() });
const whole = z.int().min(0);
const GridPos = z
	.strictObject({ h: whole.min(1), w: whole.min(1).max(24), x: whole.max(23), y: whole })
	.refine(({ x, w }) => x + w <= 24, 'wider than the grid');
const Threshold = z.strictObject({ value: z.number().nullable(), color: z.string() });
const FieldConfig = z.strictObject({
	defaults: z.strictObject({
		unit: z.string().optional(),
		decimals: z.number().optional(),
		min: z.number().optional(),
		max: z.number().optional(),
		noValue: z.string().optional(),
		thresholds: z
			.strictObject({ mode: z.enum(['absolute', 'percentage']), steps: z.array(Threshold).min(1) })
			.refine(({ steps }) => steps[0]!.value === null, 'the first step is minus infinity')
			.refine(
				({ steps }) =>
					steps.every(({ value }, i) => i === 0 || value! > (steps[i - 1]!.value ?? -Infinity)),
				'steps in order'
			)
			.optional()
	}),
	overrides: z.array(z.never())
});
const Target = z.strictObject({
	refId: z.string().regex(/^[A-Z]$/),
	datasource: DataSource,
	expr: z.string().min(1),
	legendFormat: z.string()
});
const shared = {
	id: whole.min(1),
	title: z.string().min(1),
	description: z.string().optional(),
	gridPos: GridPos,
	datasource: DataSource,
	fieldConfig: FieldConfig,
	targets: z.array(Target).min(1)
};
const Panel = z.discriminatedUnion('type', [
	z.strictObject({
		...shared,
		type: z.literal('stat'),
		options: z.strictObject({
			reduceOptions: z.strictObject({
				calcs: z.array(z.enum(['lastNotNull', 'last', 'mean', 'min', 'max'])).length(1),
				fields: z.string(),
				values: z.boolean()
			}),
			textMode: z.enum(['auto', 'value', 'value_and_name', 'name', 'none']).optional(),
			colorMode: z.enum(['none', 'value', 'background', 'background_solid']).optional()
		})
	}),
	z.strictObject({
		...shared,
		type: z.literal('timeseries'),
		options: z.strictObject({})
	})
]);
const variable = {
	name: z.string().regex(/^\w+$/),
	label: z.string(),
	current: z.strictObject({}),
	hide: z.union([z.literal(0), z.literal(1), z.literal(2)]),
	includeAll: z.boolean(),
	multi: z.boolean(),
	options: z.array(z.never()),
	/** 0 never, 1 when the dashboard is loaded, 2 when its time range changes. */
	refresh: z.union([z.literal(0), z.literal(1), z.literal(2)]),
	regex: z.string()
};
const Variable = z.discriminatedUnion('type', [
	z.strictObject({ ...variable, type: z.literal('datasource'), query: z.string() }),
	z.strictObject({
		...variable,
		type: z.literal('query'),
		datasource: DataSource,
		definition: z.string(),
		query: z.strictObject({ query: z.string(), refId: z.string() }),
		sort: z.int().min(0).max(6)
	})
]);
const Required = z.strictObject({
	type: z.enum(['grafana', 'datasource', 'panel']),
	...{ id: z.string(), name: z.string(), version: z.string() }
});

export const GrafanaDashboard = z.strictObject({
	title: z.string().min(1),
	uid: z.string().regex(/^[\w-]{8,40}$/),
	description: z.string().optional(),
	tags: z.array(z.string()),
	schemaVersion: z.int().min(36).max(65_535),
	version: z.int(),
	editable: z.boolean(),
	timezone: z.string(),
	refresh: z.string().regex(/^\d+[smhd]$/),
	time: z.strictObject({ from: z.string().regex(/^now-\d+[mhd]$/), to: z.literal('now') }),
	/** Of an export for others: what is asked at the import, and what must be there. */
	__inputs: z.array(z.never()),
	__requires: z.array(Required),
	templating: z.strictObject({ list: z.array(Variable) }),
	annotations: z.strictObject({ list: z.array(z.never()) }),
	links: z.array(z.never()),
	panels: z.array(Panel).min(1)
});
export type GrafanaDashboard = z.infer<typeof GrafanaDashboard>;
