/**
 * The cap under which pieces fit into a budget together: the largest c with Σ min(lengthᵢ, c) ≤ budget. Pieces shorter than the cap
 * stay whole, so that one huge piece is cut before many small ones are.
 * @param budget in the unit of `lengths`; 0 or less gives 0
 * @returns Infinity if all pieces fit whole
 */
export function waterLevel(lengths: readonly number[], budget: number): number {
  const sorted = [...lengths].sort((a, b) => a - b);
  let left = Math.max(0, budget);
  for (const [at, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}
