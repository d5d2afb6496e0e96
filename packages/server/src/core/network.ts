/** What counts as one place: an IPv4 address, or the /64 that one IPv6 customer gets whole. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.toLowerCase().split("%")[0]!.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const after = tail === undefined ? 0 : tail.split(":").filter((group) => group !== "").length;
  const filled = tail === undefined ? groups : [...groups, ...Array<string>(Math.max(0, 8 - groups.length - after)).fill("0")];
  return `${[...filled, ...(tail ?? "").split(":")]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
