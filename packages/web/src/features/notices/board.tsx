import { lazy, Suspense, useState } from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ActionIcon, Button } from "@mantine/core";
import { IconEye, IconPencil, IconPlus, IconTrash, IconWorld } from "@tabler/icons-react";
import { noticesPermissions, removeNotice, restoreNotice } from "@rollcall/server/contract/notices";
import { useAbilities } from "#core/abilities.ts";
import { useText, withTexts } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { offerUndo } from "#ui/confirm.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { JobTag, TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { loadAccessExplain } from "#features/accesslists/accesslists.api.ts";
import { AttachmentList } from "#features/files/files.api.ts";
import { type Notice, useBoard } from "./notices.queries.ts";
import classes from "./notices.module.css";

const NoticeEditor = lazy(withTexts(["notices", "files", "accesslists"], () => import("./editor.tsx")));
const AccessExplain = lazy(loadAccessExplain);

type Opened = { readonly what: "new" } | { readonly what: "edit" | "access"; readonly notice: Notice };

/** What is open: by a button of the board, or a new notice by its address, which a command of the palette opens. */
function useOpened(mayCreate: boolean): readonly [Opened | null, (next: Opened | null) => void] {
  const [opened, setOpened] = useState<Opened | null>(null);
  const { notice } = useSearch({ strict: false }) as { notice?: string };
  const navigate = useNavigate();
  const isNew = mayCreate && notice === "new";
  const open = (next: Opened | null) => {
    if (isNew) void navigate({ to: "/", replace: true });
    setOpened(next);
  };
  return [isNew ? { what: "new" } : opened, open];
}

/** The notices for one's job and for the whole city. */
export function Board() {
  const { t } = useText();
  const mayCreate = useAbilities().has(noticesPermissions.create);
  const board = useBoard();
  const [opened, setOpened] = useOpened(mayCreate);
  const [error, setError] = useState<unknown>(null);
  const notices = board.data ?? [];
  if (board.isSuccess && notices.length === 0 && !mayCreate) return null;

  const attempt = async (action: () => Promise<unknown>) => {
    setError(null);
    try {
      await action();
      await board.refetch();
    } catch (problem) {
      setError(problem);
    }
  };
  const remove = (notice: Notice) =>
    void attempt(async () => {
      await api.call(removeNotice, { params: { id: notice.id } });
      offerUndo(t, {
        title: t("notices.removed", { title: notice.title }),
        async undo() {
          await api.call(restoreNotice, { params: { id: notice.id } });
          await board.refetch();
        },
      });
    });

  return (
    <section className={classes["board"]} aria-labelledby="board">
      <div className={classes["head"]}>
        <h2 id="board">{t("notices.board")}</h2>
        {mayCreate && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => setOpened({ what: "new" })}
          >
            {t("notices.new")}
          </Button>
        )}
      </div>
      {error !== null && <ProblemNote error={error} />}
      {board.isPending && <Bars widths={["70%", "50%"]} />}
      {board.isError && <ProblemNote error={board.error} onRetry={() => void board.refetch()} retrying={board.isFetching} />}
      {board.isSuccess && notices.length === 0 && <p className={classes["quiet"]}>{t("notices.none")}</p>}
      <ul className={classes["list"]}>
        {notices.map((notice) => (
          <li key={notice.id}>
            <Card notice={notice} onOpen={(what) => setOpened({ what, notice })} onRemove={() => remove(notice)} />
          </li>
        ))}
      </ul>
      {board.hasNextPage && (
        <Button variant="subtle" color="gray" loading={board.isFetchingNextPage} onClick={() => void board.fetchNextPage()}>
          {t("notices.older")}
        </Button>
      )}
      <OpenedDialog
        opened={opened}
        onClose={(changed) => {
          setOpened(null);
          if (changed) void board.refetch();
        }}
      />
    </section>
  );
}

function OpenedDialog({ opened, onClose }: { opened: Opened | null; onClose: (changed: boolean) => void }) {
  const { t } = useText();
  if (!opened) return null;
  return (
    <Suspense fallback={null}>
      {opened.what === "access" ? (
        <Dialog onClose={() => onClose(false)} title={t("notices.whoSees", { title: opened.notice.title })}>
          <AccessExplain kind="notices" id={opened.notice.id} mayEdit={opened.notice.level === "edit"} />
        </Dialog>
      ) : (
        <NoticeEditor id={opened.what === "edit" ? opened.notice.id : null} onClose={onClose} />
      )}
    </Suspense>
  );
}

function Card(props: { notice: Notice; onOpen: (what: "edit" | "access") => void; onRemove: () => void }) {
  const { t } = useText();
  const { notice } = props;
  const about = { title: notice.title };
  return (
    <article className={classes["card"]}>
      <div className={classes["cardHead"]}>
        <h3>{notice.title}</h3>
        <div className={classes["actions"]}>
          <ActionIcon size="md" onClick={() => props.onOpen("access")} aria-label={t("notices.whoSees", about)}>
            <IconEye size={15} />
          </ActionIcon>
          {notice.level === "edit" && (
            <>
              <ActionIcon size="md" onClick={() => props.onOpen("edit")} aria-label={t("notices.edit", about)}>
                <IconPencil size={15} />
              </ActionIcon>
              <ActionIcon size="md" onClick={props.onRemove} aria-label={t("notices.remove", about)}>
                <IconTrash size={15} />
              </ActionIcon>
            </>
          )}
        </div>
      </div>
      {notice.text !== "" && <p className={classes["text"]}>{notice.text}</p>}
      <AttachmentList files={notice.attachments} />
      <div className={classes["foot"]}>
        <JobTag job={notice.job} />
        {notice.creator && <span>{notice.creator.name}</span>}
        <TimeAgo instant={notice.createdAt} />
        {notice.public && (
          <span className={classes["public"]}>
            <IconWorld size={13} aria-hidden /> {t("notices.public")}
          </span>
        )}
      </div>
    </article>
  );
}
