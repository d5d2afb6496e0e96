/** A game licence without its `license:` prefix. */
export function bareLicence(licence: string): string {
  return licence.startsWith("license:") ? licence.slice("license:".length) : licence;
}
