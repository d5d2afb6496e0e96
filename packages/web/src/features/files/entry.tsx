import { useState, type FormEvent } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Anchor, Button, TextInput } from "@mantine/core";
import { IconFile } from "@tabler/icons-react";
import { deleteFile, type FileRow } from "@rollcall/server/contract/files";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { absoluteTime } from "#core/time.ts";
import { TimeAgo } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { sizeOf } from "./sizes.ts";
import classes from "./files.module.css";

/** One file: preview, facts and a button to delete it. */
export function FileEntry({ file }: { file: FileRow }) {
  const { t, language } = useText();
  const [asking, setAsking] = useState(false);
  const [deleted, setDeleted] = useState(false);
  const edges = file.width === null || file.height === null ? "" : ` · ${file.width} × ${file.height}`;
  // A list that was loading meanwhile may still contain it.
  if (deleted) return null;
  return (
    <li className={classes["file"]}>
      <div className={classes["preview"]}>
        {file.width === null ? <IconFile size={26} aria-hidden /> : <img src={file.thumbnail} alt="" width={56} height={56} />}
      </div>
      <div className={classes["about"]}>
        <h2>
          <Anchor href={file.url} target="_blank" rel="noreferrer" inherit>
            {file.name}
          </Anchor>
        </h2>
        <span className={classes["quiet"]}>
          {file.type} · {sizeOf(file.bytes, language)}
          {edges}
        </span>
        <span>
          {t("files.panel.by", { name: file.uploader })} <TimeAgo instant={file.createdAt} />
        </span>
        <span>
          {file.references.length === 0
            ? t("files.panel.unused")
            : file.references
                .map(({ kind, label }) =>
                  t(`files.panel.uses.${kind.replace(".", "_")}`, { label, defaultValue: `${kind}: ${label}` }),
                )
                .join(", ")}
          {file.goesAt !== null && ` ${t("files.panel.goes", { time: absoluteTime(file.goesAt, language) })}`}
        </span>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        aria-expanded={asking}
        aria-label={t("files.panel.deleteOf", { name: file.name })}
        onClick={() => setAsking(!asking)}
      >
        {t("files.panel.delete")}
      </Button>
      {asking && <Deletion file={file} onClose={() => setAsking(false)} onGone={() => setDeleted(true)} />}
    </li>
  );
}

function Deletion({ file, onClose, onGone }: { file: FileRow; onClose: () => void; onGone: () => void }) {
  const { t } = useText();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const send = useMutation({
    mutationFn: async () => await api.call(deleteFile, { params: { id: file.id }, body: { reason: reason.trim() } }),
    onSuccess: () => {
      onGone();
      void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith("files.") });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form className={classes["reason"]} onSubmit={submit}>
      <span>{t("files.panel.deleteText", { name: file.name })}</span>
      {send.isError && <ProblemNote error={send.error} />}
      <TextInput
        label={t("files.panel.reason")}
        maxLength={255}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        autoFocus
      />
      <div className={classes["buttons"]}>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t("files.panel.keep")}
        </Button>
        <Button size="compact-sm" color="red" type="submit" loading={send.isPending} disabled={reason.trim().length < 3}>
          {t("files.panel.deleteNow")}
        </Button>
      </div>
    </form>
  );
}
