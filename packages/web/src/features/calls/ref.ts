/** As people read the number of a call. */
export const refOf = (id: number): string => `DSP-${id}`;

/** The number of what was typed as `DSP-12`; null for other text. */
export function idOfRef(typed: string): number | null {
  const found = /^dsp[-\s]?(\d{1,15})$/i.exec(typed.trim());
  return found === null ? null : Number(found[1]);
}
