/** Crockford's base 32, which has no letters that look like digits. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Encodes random bytes for people to read and type, in groups of four: `7K2M-Q9XA-...`. */
export function readableCode(bytes: Uint8Array): string {
  let bits = 0;
  let buffer = 0;
  let text = "";
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((buffer >> bits) & 31);
    }
  }
  if (bits > 0) text += alphabet.charAt((buffer << (5 - bits)) & 31);
  return text.match(/.{1,4}/g)?.join("-") ?? "";
}

/** Normalises a typed code: removes grouping, ignores case, and maps letters that look like digits. */
export function typedCode(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
}
