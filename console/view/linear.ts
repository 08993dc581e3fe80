/**
 * Maps numbers to places, straight between each two: what `scaleLinear` of d3-scale does, which would bring
 * colours, dates, formats and ticks along.
 *
 * @param domain rising
 * @param range as long as `domain`
 */
export function linear(domain: readonly number[], range: readonly number[]): (value: number) => number {
  return (value) => {
    const next = domain.findIndex((one, index) => index > 0 && value <= one);
    const to = next < 0 ? domain.length - 1 : next;
    const [from = 0, until = 0] = [domain[to - 1], domain[to]];
    const [low = 0, high = 0] = [range[to - 1], range[to]];
    return until === from ? low : low + ((value - from) / (until - from)) * (high - low);
  };
}
