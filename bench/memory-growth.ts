export interface MemorySample {
  readonly seconds: number;
  readonly megabytes: number;
}

/** How much the memory grew over the last half, as a share, by the line that fits its samples best. */
export function growthOver(samples: readonly MemorySample[]): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const first = half[0];
  const last = half.at(-1);
  if (first === undefined || last === undefined || half.length < 2) return 0;
  const middle = mean(half.map(({ seconds }) => seconds));
  const level = mean(half.map(({ megabytes }) => megabytes));
  const spread = sum(half.map(({ seconds }) => (seconds - middle) ** 2));
  const slope = sum(half.map(({ seconds, megabytes }) => (seconds - middle) * (megabytes - level))) / spread;
  const atStart = level + slope * (first.seconds - middle);
  return (slope * (last.seconds - first.seconds)) / atStart;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
