/** A place of a drawing, in pixels; undefined where nothing is known. */
export type Spot = readonly [x: number, y: number] | undefined;

const px = (value: number) => Math.round(value * 10) / 10;

/**
 * An SVG path, straight from each spot to the next; what is unknown interrupts it. d3-shape, for curves too,
 * is a twelfth of the page.
 *
 * @param foot down to which it encloses an area @default - it is a line
 */
export function linePath(spots: readonly Spot[], foot?: number): string {
  let isOn = false;
  let [path, last] = ['', 0];
  const end = () => (isOn && foot !== undefined ? `V${px(foot)}H${px(last)}Z` : '');
  for (const spot of spots) {
    if (spot === undefined) {
      path += end();
      isOn = false;
      continue;
    }
    const [x, y] = spot.map(px) as [number, number];
    // With round ends, a line without length is a dot.
    path += isOn ? `L${x},${y}` : `M${x},${y}h0`;
    if (!isOn) last = x;
    isOn = true;
  }
  return path + end();
}
