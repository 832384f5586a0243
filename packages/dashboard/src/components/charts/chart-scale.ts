/** Round steps for an axis that starts at nothing: 0, 20, 40 … and never a broken number. */
export function axisTicks(max: number, wanted = 4): number[] {
  if (max <= 0) return [0, 1];
  const rough = max / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? power,
  );
  const ticks: number[] = [];
  for (let tick = 0; tick < max + step; tick += step) ticks.push(tick);
  return ticks;
}

/** Which buckets get a label, so that labels of this width do not touch. */
export function labelEvery(buckets: number, width: number, labelWidth: number): number {
  return Math.max(1, Math.ceil((buckets * labelWidth) / Math.max(width, 1)));
}
