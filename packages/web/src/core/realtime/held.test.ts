import { expect, it } from "vitest";
import type { Position } from "@rollcall/server/contract/core";
import { createHeld } from "./held.ts";

const at = (seq: number, epoch = "e"): Position => ({ epoch, seq });
const settled = async () => await new Promise((resolve) => setTimeout(resolve));

function world() {
  const open: { readonly answer: (position: Position | null) => void; readonly fail: () => void }[] = [];
  const held = createHeld(
    (onPosition) =>
      new Promise<void>((resolve, reject) => {
        open.push({
          answer: (position) => {
            onPosition(position);
            resolve();
          },
          fail: () => reject(new Error("offline")),
        });
      }),
  );
  return { open, held };
}

it("is not read again for what its answer holds", async () => {
  const { open, held } = world();
  held.readSoon();
  open[0]!.answer(at(7));
  await settled();
  held.missed(at(7));
  held.missed(at(3));
  await settled();
  expect(open).toHaveLength(1);
});

it("is read again for what its answer lacks", async () => {
  for (const [answered, missed] of [
    [at(7), at(8)],
    [at(7), at(7, "other")],
    [null, at(1)],
    [at(7), null],
  ] as const) {
    const { open, held } = world();
    held.readSoon();
    open[0]!.answer(answered);
    await settled();
    held.missed(missed);
    await settled();
    expect(open, JSON.stringify([answered, missed])).toHaveLength(2);
  }
});

it("waits for the answer that is on its way before it decides", async () => {
  const { open, held } = world();
  held.readSoon();
  held.missed(at(7));
  expect(open).toHaveLength(1);
  open[0]!.answer(at(7));
  await settled();
  expect(open).toHaveLength(1);

  held.readSoon();
  held.missed(at(9));
  open[1]!.answer(at(8));
  await settled();
  expect(open).toHaveLength(3);
});

it("is read again when the answer that was on its way failed", async () => {
  const { open, held } = world();
  const first = held.read();
  held.missed(at(7));
  open[0]!.fail();
  await expect(first).rejects.toThrow("offline");
  await settled();
  expect(open).toHaveLength(2);
});
