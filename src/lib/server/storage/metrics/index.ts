export { createMetricEvents, type MetricEvents } from './events.ts';
export { createMetrics, type Row, type Metrics } from './metrics.ts';
export { withRecent, type RecentMetrics } from './recent.ts';
export { toMetricLine, type Sample } from './lines.ts';
