/** Says that the page is seen as another grade, with the way back. */
export function SeeAsBanner() {
  return null;
}
