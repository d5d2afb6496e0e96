import { IconTag } from "@tabler/icons-react";
import type { LabelChange } from "@rollcall/server/contract/colleagues";
import type { Translate } from "#core/i18n.ts";
import { copyRows } from "#ui/copyRows.ts";
import type { BulkAction, BulkOutcome } from "#ui/listBulk.ts";
import type { Bulk } from "#ui/selectionBar.tsx";
import { sendChanges } from "./changes.ts";
import type { Listed } from "./colleagues.queries.ts";
import { fullName } from "./names.ts";

/** What the dialog is open for; `answer` gets the changes that lead back, null where it was closed. */
export interface Asked {
  readonly people: readonly Listed[];
  answer(undo: readonly LabelChange[] | null): void;
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
    async run(people) {
      const undo = await new Promise<readonly LabelChange[] | null>((resolve) => ask({ people, answer: resolve }));
      if (undo === null) return nothing;
      back = undo;
      const changed = new Set(undo.map(({ id }) => id));
      return { done: people.filter(({ id }) => changed.has(id)), refused: [] };
    },
    async undo(people) {
      await sendChanges(back, t("colleagues.give.undone"));
      return { done: people, refused: [] };
    },
    said: (count) => t("colleagues.give.done", { count }),
  };
}
