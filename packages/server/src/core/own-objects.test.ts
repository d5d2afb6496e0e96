import { expect, test } from "vitest";
import { createOwnObjects, ForeignNames, objectKey, thumbnailKey, wholeKey } from "./own-objects.ts";

const id = "01KA7Q0000000000000000000Z";
const own = createOwnObjects(() => new Set(["avatars", "logos"]));

test("only keys of the exact shape in a known namespace belong to this instance", () => {
  const ours = [`avatars/202611/${id}`, `logos/202601/${id}-t`, objectKey("avatars", Date.UTC(2026, 11, 31, 23), id)];
  for (const key of ours) expect([key, own.owns(key), own.owns(thumbnailKey(wholeKey(key)))]).toEqual([key, true, true]);
  const foreign = [
    ...["", id, "foreign.txt", "rollcall.db", "backups/rollcall-2026-11-20.tar.gz", "photos/202610/cat", "avatars/notes.txt"],
    ...[`unknown/202611/${id}`, `avatars/202613/${id}`, `avatars/202600/${id}`, `avatars/2026/${id}`, `avatars/${id}`],
    ...[`avatars/202611/${id}-x`, `avatars/202611/${id}.bak`, `avatars/202611/${id}/a`, `x/avatars/202611/${id}`],
    ...[`avatars/202611/${id.toLowerCase()}`, `avatars/202611/${id.slice(1)}`, `avatars/202611/${id}\n`, `probe/${id}-1`],
  ];
  for (const key of foreign) expect([key, own.owns(key)]).toEqual([key, false]);
});

test("foreign names are counted, and the first ones are listed in a printable form", () => {
  const foreign = new ForeignNames();
  expect([foreign.count, foreign.names]).toEqual([0, ""]);
  foreign.add("a\n\u001b[31mb");
  foreign.add("x".repeat(500));
  for (const name of ["c", "d", "e", "f", "g"]) foreign.add(name);
  expect(foreign.count).toBe(7);
  expect(foreign.names).toBe(`a??[31mb, ${"x".repeat(100)}, c, d, e and 2 more`);
});
