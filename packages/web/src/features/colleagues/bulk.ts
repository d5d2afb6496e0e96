import { IconTag } from "@tabler/icons-react";
import type { LabelChange } from "@rollcall/server/contract/colleagues";
import type { Translate } from "#core/i18n.ts";
import { copyRows } from "#ui/copyRows.ts";
import type { BulkAction, BulkOutcome } from "#ui/listBulk.ts";
import type { Bulk } from "#ui/selectionBar.tsx";
import { sendChanges } from "./changes.ts";
import type { Listed } from "./colleagues.queries.ts";
import { fullName } from "./names.ts";
import type { Sent } from "./parts.ts";

/** What the dialog is open for; `answer` gets what became of the changes, null where it was closed. */
export interface Asked {
  readonly people: readonly Listed[];
  answer(sent: Sent | null): void;
}

interface Options {
  /** Left out for those who may not change labels. */
  readonly ask?: ((asked: Asked) => void) | undefined;
}

const nothing: BulkOutcome<Listed> = { done: [], refused: [] };

/** What can be done with several colleagues. */
export function colleaguesBulk(t: Translate, { ask }: Options): Bulk<Listed> {
  const copy = copyRows<Listed>(t, fullName);
  return { actions: ask === undefined ? [copy] : [copy, labelsOf(t, ask)], nameOf: fullName };
}

function labelsOf(t: Translate, ask: NonNullable<Options["ask"]>): BulkAction<Listed> {
  let back: readonly LabelChange[] = [];
  return {
    id: "labels",
    label: t("colleagues.give.open"),
    icon: IconTag,
    // The list follows its topic, and a dialog that was closed leaves the selection.
    changes: false,
    asks: true,
    async run(people) {
      const sent = await new Promise<Sent | null>((resolve) => ask({ people, answer: resolve }));
      if (sent === null) return nothing;
      back = sent.undo;
      if (back.length === 0 && sent.refused.length === 0) return { ...nothing, why: t("colleagues.give.unchanged") };
      const changed = new Set(back.map(({ id }) => id));
      return { done: people.filter(({ id }) => changed.has(id)), refused: refusedOf(people, sent) };
    },
    async undo(people) {
      const sent = await sendChanges(back, t("colleagues.give.undone"));
      const refused = refusedOf(people, sent);
      return { done: people.filter((row) => !refused.some((one) => one.row === row)), refused };
    },
    said: (count, same) => {
      const done = t("colleagues.give.done", { count });
      if (same === 0) return done;
      // What leads back takes each label that was given: then nothing was taken.
      const gave = back.every(({ given }) => !given);
      return `${done} ${t(gave ? "colleagues.give.had" : "colleagues.give.same", { count: same })}`;
    },
  };
}

function refusedOf(people: readonly Listed[], { refused }: Sent): BulkOutcome<Listed>["refused"] {
  const errors = new Map(refused.map(({ id, error }) => [id, error]));
  return people.filter(({ id }) => errors.has(id)).map((row) => ({ row, error: errors.get(row.id) }));
}
