import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Anchor, Button } from "@mantine/core";
import { IconFile } from "@tabler/icons-react";
import { deleteFile, type FileRow } from "@rollcall/server/contract/files";
import contract from "virtual:form/files/deleteFile";
import { useText, type Translate } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { absoluteTime } from "#core/time.ts";
import { ConfirmReason } from "#ui/confirmReason.tsx";
import { TimeAgo } from "#ui/small.tsx";
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
          {file.references.length === 0 ? t("files.panel.unused") : usesOf(t, file).join(", ")}
          {file.goesAt !== null && ` ${t("files.panel.goes", { time: absoluteTime(file.goesAt, language) })}`}
        </span>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        aria-haspopup="dialog"
        aria-label={t("files.panel.deleteOf", { name: file.name })}
        onClick={() => setAsking(true)}
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
  const question = {
    title: t("files.panel.deleteTitle", { name: file.name }),
    text: t(file.references.length === 0 ? "files.panel.deleteUnused" : "files.panel.deleteUsed"),
    lost: usesOf(t, file),
    yes: t("files.panel.deleteNow"),
  };
  return (
    <ConfirmReason
      question={question}
      contract={contract}
      label={t("files.panel.reason")}
      onYes={async (reason) => await api.call(deleteFile, { params: { id: file.id }, body: { reason } })}
      onDone={() => {
        onGone();
        void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith("files.") });
      }}
      onClose={onClose}
    />
  );
}

/** What it is used by, in words. */
function usesOf(t: Translate, { references }: FileRow): string[] {
  return references.map(({ kind, label }) =>
    t(`files.panel.uses.${kind.replace(".", "_")}`, { label, defaultValue: `${kind}: ${label}` }),
  );
}
