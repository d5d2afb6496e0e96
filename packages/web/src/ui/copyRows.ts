import { IconCopy } from "@tabler/icons-react";
import type { Translate } from "#core/i18n.ts";
import { copyToClipboard } from "./copy.tsx";
import type { BulkAction } from "./listBulk.ts";

/** Copies a line for each row, for a report or a message. */
export function copyRows<Row>(t: Translate, lineOf: (row: Row) => string): BulkAction<Row> {
  return {
    id: "copy",
    label: t("web.bulk.copy"),
    icon: IconCopy,
    changes: false,
    async run(rows) {
      const copied = await copyToClipboard(rows.map((row) => lineOf(row)).join("\n"));
      return copied ? { done: rows, refused: [] } : { done: [], refused: [], why: t("web.bulk.notCopied") };
    },
    said: (count) => t("web.bulk.copied", { count }),
  };
}
