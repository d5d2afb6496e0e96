import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Anchor, Button } from "@mantine/core";
import { IconFile } from "@tabler/icons-react";
import { deleteFile, type FileRow } from "@rollcall/server/contract/files";
import contract from "virtual:form/files/deleteFile";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { absoluteTime } from "#core/time.ts";
import { Form, FormButtons } from "#ui/form.tsx";
import { TextField } from "#ui/formFields.tsx";
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

const EMPTY = { version: 0, values: { reason: "" } };

function Deletion({ file, onClose, onGone }: { file: FileRow; onClose: () => void; onGone: () => void }) {
  const { t } = useText();
  const queries = useQueryClient();
  const form = useContractForm<{ reason: string }>({
    contract,
    fields: { reason: { label: t("files.panel.reason") } },
    stored: EMPTY,
    save: async (body) => await api.call(deleteFile, { params: { id: file.id }, body }),
    saved() {
      onGone();
      void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith("files.") });
    },
  });
  return (
    <Form form={form} className={classes["reason"]}>
      <span>{t("files.panel.deleteText", { name: file.name })}</span>
      <TextField at="reason" autoFocus />
      <FormButtons
        className={classes["buttons"]}
        submit={t("files.panel.deleteNow")}
        danger
        small
        cancel={{ text: t("files.panel.keep"), run: onClose }}
      />
    </Form>
  );
}
