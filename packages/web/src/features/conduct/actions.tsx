import { useState } from "react";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { IconArrowBackUp, IconCheck, IconMessageReply, IconPencil, IconSend, IconTrash } from "@tabler/icons-react";
import { acknowledgeEntry, releaseEntry, removeEntry, restoreEntry } from "@rollcall/server/contract/conduct";
import { type Translate, useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { part } from "#core/part.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { Confirm, offerUndo } from "#ui/confirm.tsx";
import { type ConductEntry, readAgain } from "./conduct.queries.ts";
import type { EditorProps } from "./editor.tsx";
import type { ReplyDialogProps } from "./replyDialog.tsx";
import type { WithdrawDialogProps } from "./withdrawDialog.tsx";
import classes from "./conduct.module.css";

const Editor = part<EditorProps>(["conduct"], () => import("./editor.tsx"));
const ReplyDialog = part<ReplyDialogProps>(["conduct"], () => import("./replyDialog.tsx"));
const WithdrawDialog = part<WithdrawDialogProps>(["conduct"], () => import("./withdrawDialog.tsx"));

interface EntryActionsProps {
  readonly entry: ConductEntry;
  /** The entry was deleted. */
  onRemoved?(): void;
}

const ICONS = {
  acknowledge: IconCheck,
  reply: IconMessageReply,
  release: IconSend,
  edit: IconPencil,
  withdraw: IconArrowBackUp,
  remove: IconTrash,
} as const;
type Action = keyof typeof ICONS;
const order = Object.keys(ICONS) as Action[];
/** The one that waits for the viewer. */
const primary: ReadonlySet<Action> = new Set<Action>(["acknowledge", "release"]);

/** What the viewer can do with an entry. */
export function EntryActions({ entry, onRemoved }: EntryActionsProps) {
  const { t } = useText();
  const [doing, setDoing] = useState<Action | null>(null);
  const [busy, setBusy] = useState(false);
  const calls = useCalls(entry);
  const { may, citizen, kind } = entry;
  const name = useNamer()(citizen, citizen.job.name);
  const { announcement } = useAnnouncement();
  const close = () => setDoing(null);
  const start = async (action: Action) => {
    if (action !== "acknowledge" && action !== "remove") return setDoing(action);
    setBusy(true);
    if ((await calls[action]()) && action === "remove") onRemoved?.();
    setBusy(false);
  };
  return (
    <ActionList label={t("conduct.detailOf", { id: entry.id })} announcement={announcement}>
      {may.length > 0 && (
        <div className={classes["actions"]} data-screen-only>
          {order
            .filter((one) => may.includes(one))
            .map((one) => {
              const Icon = ICONS[one];
              return (
                <Button
                  key={one}
                  variant={primary.has(one) ? "filled" : "default"}
                  leftSection={<Icon size={15} aria-hidden />}
                  disabled={busy}
                  aria-label={t("conduct.do.named", { action: t(`conduct.do.${one}`), kind: kind.name, id: entry.id })}
                  {...(one === "acknowledge" || one === "remove" ? {} : { "aria-haspopup": "dialog" as const })}
                  onClick={() => void start(one)}
                >
                  {t(`conduct.do.${one}`)}
                </Button>
              );
            })}
        </div>
      )}
      {doing === "edit" && <Editor entry={entry} citizenId={citizen.id} onClose={close} />}
      {doing === "reply" && <ReplyDialog entry={entry} onClose={close} />}
      {doing === "withdraw" && <WithdrawDialog entry={entry} onClose={close} />}
      {doing === "release" && (
        <Confirm
          question={{
            title: t("conduct.release.title"),
            text: t("conduct.release.text", { name, count: entry.points }),
            yes: t("conduct.do.release"),
          }}
          onYes={calls.release}
          onClose={close}
        />
      )}
    </ActionList>
  );
}

function useCalls({ id, version }: ConductEntry) {
  const { t } = useText();
  const queries = useQueryClient();
  /** Whether it was done; a failure is a toast. */
  const done = async (call: () => Promise<unknown>): Promise<boolean> => {
    try {
      await call();
      return true;
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
      return false;
    } finally {
      readAgain(queries);
    }
  };
  const acknowledge = async () =>
    await done(async () => {
      await api.call(acknowledgeEntry, { params: { id }, body: { version } });
      showToast({ tone: "success", title: t("conduct.acknowledgedNow") });
    });
  const remove = async () =>
    await done(async () => {
      await api.call(removeEntry, { params: { id } });
      undoable(t, async () => {
        await api.call(restoreEntry, { params: { id } });
        readAgain(queries);
      });
    });
  const release = async () => {
    try {
      await api.call(releaseEntry, { params: { id }, body: { version } });
      showToast({ tone: "success", title: t("conduct.release.done") });
    } finally {
      readAgain(queries);
    }
  };
  return { acknowledge, remove, release };
}

const undoable = (t: Translate, undo: () => Promise<void>) => offerUndo(t, { title: t("conduct.removed"), undo });
