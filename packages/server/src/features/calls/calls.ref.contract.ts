/** As people read the number of a call. */
export const refOf = (id: number): string => `DSP-${id}`;

/** The number of what was typed as `DSP-12`; null for anything else. */
export function idOfRef(text: string): number | null {
  const found = /^dsp[-\s]?(\d{1,15})$/i.exec(text.trim());
  return found ? Number(found[1]) : null;
}
