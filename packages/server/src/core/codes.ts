/** Crockford's base 32: no letter that can be taken for a digit. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Random bytes as people read and type them, in groups of four: `7K2M-Q9XA-...`. */
export function readableCode(bytes: Uint8Array): string {
  let bits = 0;
  let held = 0;
  let text = "";
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((held >> bits) & 31);
    }
  }
  if (bits > 0) text += alphabet.charAt((held << (5 - bits)) & 31);
  return text.match(/.{1,4}/g)?.join("-") ?? "";
}

/** A code as it was typed, without what does not matter: groups, case, letters read as digits. */
export function typedCode(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
}
