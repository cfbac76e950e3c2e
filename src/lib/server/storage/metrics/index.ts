export { createMetricEvents, type MetricEvents } from './events.ts';
export { createMetrics, type Row, type Metrics } from './metrics.ts';
