import { IconMail, IconMailOpened, IconTrash } from "@tabler/icons-react";
import type { Translate } from "#core/i18n.ts";
import { type BulkAction, type BulkOutcome, together } from "#ui/listBulk.ts";
import type { Bulk } from "#ui/selectionBar.tsx";
import { bulkCalls, mostAtOnce, type Notification } from "./notifications.queries.ts";
import { textsOf } from "./texts.ts";

type Progress = (handled: number) => void;

const all =
  (call: (ids: number[]) => Promise<unknown>) =>
  async (rows: readonly Notification[], progress: Progress): Promise<BulkOutcome<Notification>> =>
    await together(rows, mostAtOnce, async (part) => await call(part.map(({ id }) => id)), progress);

/** What can be done with several notifications. */
export function bulkOf(t: Translate): Bulk<Notification> {
  const actions: readonly BulkAction<Notification>[] = [
    {
      id: "read",
      label: t("notifications.bulk.read"),
      icon: IconMailOpened,
      concerns: ({ readAt }) => readAt === null,
      run: all(bulkCalls.read),
      undo: all(bulkCalls.unread),
      said: (count) => t("notifications.bulk.wereRead", { count }),
    },
    {
      id: "unread",
      label: t("notifications.bulk.unread"),
      icon: IconMail,
      concerns: ({ readAt }) => readAt !== null,
      run: all(bulkCalls.unread),
      undo: all(bulkCalls.read),
      said: (count) => t("notifications.bulk.wereUnread", { count }),
    },
    {
      id: "remove",
      label: t("notifications.bulk.remove"),
      icon: IconTrash,
      run: all(bulkCalls.remove),
      question: (count) => ({
        title: t("notifications.bulk.removeTitle", { count }),
        text: t("notifications.bulk.removeText"),
        yes: t("notifications.bulk.remove"),
      }),
      said: (count) => t("notifications.bulk.wereRemoved", { count }),
    },
  ];
  return { actions, nameOf: (row) => textsOf(t, row).title };
}
