import { useEffect, useId, useRef, useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ActionIcon, Button, Input } from "@mantine/core";
import { IconPaperclip, IconX } from "@tabler/icons-react";
import { fileAddresses, uploadFile, uploadLimits, uploadNewFile, type UploadedFile } from "@rollcall/server/contract/files";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { queryOf } from "#core/queries.ts";
import { upload, type UploadOptions } from "#core/upload.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { AttachmentPreview } from "./attachments.tsx";
import { sendEach, type Unsent } from "./sending.ts";
import { megabytes } from "./sizes.ts";
import classes from "./files.module.css";

export interface AttachmentsFieldProps {
  /** Kind of files, as in the server's contract. */
  readonly kind: string;
  /** Null for an object that does not exist yet. */
  readonly owner: string | null;
  readonly most: number;
  /** Ids of the attached files. */
  readonly value: readonly number[];
  onChange(value: readonly number[]): void;
  /** Whether files are being sent, which saving has to wait for. */
  onBusy(busy: boolean): void;
}

/** Attaches files to an object that is being edited. They are uploaded at once, and attached when it is saved. */
export default function AttachmentsField(props: AttachmentsFieldProps) {
  const { t } = useText();
  const { kind, most, value } = props;
  const label = useId();
  const input = useRef<HTMLInputElement>(null);
  const limits = useQuery({ ...queryOf(uploadLimits, { params: { kind } }), staleTime: 0, enabled: !tablet });
  const files = useAttached(props);
  const { sending, unsent, take } = useUploads(props, limits.data?.maxBytes);
  const full = value.length >= most;
  const hint = full
    ? t("files.panel.attach.full", { most })
    : limits.data && t("files.panel.attach.hint", { limit: megabytes(limits.data.maxBytes), most });
  return (
    <div className={classes["attach"]} role="group" aria-labelledby={label}>
      <Input.Label labelElement="div" id={label}>
        {t("files.panel.attach.label")}
      </Input.Label>
      <AttachedFiles files={files} onRemove={(id) => props.onChange(value.filter((one) => one !== id))} />
      {sending && (
        <span role="status">
          {t("files.panel.attach.progress", { name: sending.name, percent: Math.round(sending.part * 100) })}
        </span>
      )}
      {unsent.map(({ name, error }, index) =>
        error === null ? (
          <p key={`${index} ${name}`} role="alert">
            {t("files.panel.attach.leftOut", { name, most })}
          </p>
        ) : (
          <ProblemNote key={`${index} ${name}`} about={name} error={error} />
        ),
      )}
      <p className={classes["quiet"]}>{tablet ? t("files.panel.attach.notHere") : hint}</p>
      {!tablet && (
        <Button
          className={classes["attachButton"]}
          size="compact-sm"
          variant="default"
          leftSection={<IconPaperclip size={14} />}
          loading={sending !== null}
          disabled={full}
          onClick={() => input.current?.click()}
        >
          {t("files.panel.attach.choose")}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={t("files.panel.attach.choose")}
        accept={limits.data?.types.join(",")}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          void take(chosen);
        }}
      />
    </div>
  );
}

function AttachedFiles({ files, onRemove }: { files: readonly UploadedFile[]; onRemove: (id: number) => void }) {
  const { t } = useText();
  const { announcement, announce } = useAnnouncement();
  return (
    <ActionList label={t("files.panel.attach.label")} announcement={announcement}>
      {files.length > 0 && (
        <ul className={classes["attachments"]}>
          {files.map((file) => (
            <li key={file.id}>
              <AttachmentPreview file={file} />
              <span>{file.name}</span>
              <ActionIcon
                size="sm"
                aria-label={t("files.panel.attach.remove", { name: file.name })}
                onClick={() => {
                  onRemove(file.id);
                  announce(t("files.panel.attach.removed", { name: file.name }));
                }}
              >
                <IconX size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </ActionList>
  );
}

/** The attached files. Those that no longer exist, such as old uploads of a draft, are taken out of the value. */
function useAttached({ value, onChange }: AttachmentsFieldProps): UploadedFile[] {
  const ids = [...value];
  const { data, isPlaceholderData } = useQuery({
    ...queryOf(fileAddresses, { body: { ids } }),
    enabled: ids.length > 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const byId = new Map((data?.files ?? []).map((file) => [file.id, file]));
  const present = ids.filter((id) => byId.has(id));
  const missing = data !== undefined && !isPlaceholderData && present.length < ids.length;
  useEffect(() => {
    if (missing) onChange(present);
  });
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function useUploads({ kind, owner, most, value, onChange, onBusy }: AttachmentsFieldProps, maxBytes: number | undefined) {
  const [sending, setSending] = useState<{ readonly name: string; readonly part: number } | null>(null);
  const [unsent, setUnsent] = useState<readonly Unsent[]>([]);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  // Files can be removed while others are being sent.
  const present = useRef(value);
  useEffect(() => {
    present.current = value;
  });

  const send = async (file: File, options: UploadOptions) => {
    const query = { name: file.name || "file" };
    if (owner === null) return await upload(uploadNewFile, { params: { kind }, query }, file, options);
    return await upload(uploadFile, { params: { kindOrId: kind, ownerOrVariant: owner }, query }, file, options);
  };

  async function take(files: readonly File[]): Promise<void> {
    const controller = new AbortController();
    leaving.current = controller;
    setUnsent([]);
    onBusy(true);
    const failed = await sendEach(files, {
      maxBytes,
      room: most - value.length,
      signal: controller.signal,
      send: async (file) => {
        const onProgress = (part: number) => setSending({ name: file.name, part });
        onProgress(0);
        const { id } = await send(file, { onProgress, signal: controller.signal });
        onChange([...present.current, id]);
      },
    });
    setUnsent(failed);
    setSending(null);
    onBusy(false);
  }

  return { sending, unsent, take };
}
