import { Anchor } from "@mantine/core";
import { IconFile } from "@tabler/icons-react";
import type { UploadedFile } from "@rollcall/server/contract/files";
import { useText } from "#core/i18n.ts";
import { sizeOf } from "./sizes.ts";
import classes from "./files.module.css";

/** The files of an object, each with a link that opens it. */
export function AttachmentList({ files }: { files: readonly UploadedFile[] }) {
  const { t, language } = useText();
  if (files.length === 0) return null;
  return (
    <ul className={classes["attachments"]} aria-label={t("files.attachments.label")}>
      {files.map((file) => (
        <li key={file.id}>
          <Anchor href={file.url} target="_blank" rel="noreferrer" inherit>
            <AttachmentPreview file={file} />
            <span>{t("files.attachments.open", { name: file.name, size: sizeOf(file.size, language) })}</span>
          </Anchor>
        </li>
      ))}
    </ul>
  );
}

/** The thumbnail of a picture, a symbol for any other file. */
export function AttachmentPreview({ file }: { file: UploadedFile }) {
  if (file.width === null) return <IconFile size={20} aria-hidden />;
  return <img src={file.thumbnail} alt="" width={32} height={32} loading="lazy" decoding="async" />;
}
