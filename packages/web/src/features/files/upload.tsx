import { useEffect, useRef, useState, type DragEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button, Progress } from "@mantine/core";
import { IconPhoto, IconTrash, IconUpload } from "@tabler/icons-react";
import { uploadFile, uploadLimits, type FileAddress } from "@rollcall/server/contract/files";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { Problem } from "#core/problem.ts";
import { withText } from "#core/problem.texts.ts";
import { queryOf } from "#core/queries.ts";
import { showToast } from "#core/toasts.ts";
import { upload } from "#core/upload.ts";
import { ProblemNote } from "#ui/states.tsx";
import { megabytes } from "./sizes.ts";
import classes from "./files.module.css";

export interface PictureUploadProps {
  /** Kind of files and id of their owner, as in the server's contract. */
  readonly kind: string;
  readonly owner: string;
  /** Alternative text of the picture. */
  readonly label: string;
  readonly value: FileAddress | null;
  readonly round?: boolean;
  /** Assigns the file to its owner; null removes it. */
  save(file: number | null): Promise<unknown>;
}

/** Shows a picture, replaces it by a chosen or dropped file, and removes it. */
export default function PictureUpload(props: PictureUploadProps) {
  const { t } = useText();
  const limits = useQuery({ ...queryOf(uploadLimits, { params: { kind: props.kind } }), staleTime: 0, enabled: !tablet });
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { progress, busy, error, take, remove } = useUpload(props, limits.data?.maxBytes);
  const choose = t(props.value ? "files.upload.replace" : "files.upload.choose");

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !busy) void take(file);
  };

  return (
    <div
      className={classes["upload"]}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className={classes["shown"]} data-round={props.round ?? false}>
        {props.value ? (
          <img src={props.value.url} alt={props.label} width={96} height={96} />
        ) : (
          <IconPhoto size={36} aria-hidden />
        )}
      </div>
      <div className={classes["controls"]}>
        {tablet ? (
          <p>{t("files.upload.notHere")}</p>
        ) : (
          <p>{limits.data && t("files.upload.hint", { limit: megabytes(limits.data.maxBytes) })}</p>
        )}
        {progress !== null && (
          <div className={classes["progress"]} role="status">
            <Progress value={progress * 100} aria-label={t("files.upload.progress")} />
            <span>
              {progress < 1 ? t("files.upload.sent", { percent: Math.round(progress * 100) }) : t("files.upload.reading")}
            </span>
          </div>
        )}
        {error !== null && <ProblemNote error={error} />}
        <Buttons
          choose={choose}
          busy={busy}
          onChoose={() => input.current?.click()}
          {...(props.value ? { onRemove: remove } : {})}
        />
        <input
          ref={input}
          type="file"
          hidden
          aria-label={choose}
          accept={(limits.data?.types ?? ["image/*"]).join(",")}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = "";
            if (file) void take(file);
          }}
        />
      </div>
    </div>
  );
}

function Buttons(props: { choose: string; busy: boolean; onChoose: () => void; onRemove?: () => Promise<void> }) {
  const { t } = useText();
  const { choose, busy, onChoose, onRemove } = props;
  const shared = { size: "compact-sm", variant: "default" } as const;
  return (
    <div className={classes["buttons"]}>
      {!tablet && (
        <Button {...shared} leftSection={<IconUpload size={14} />} loading={busy} onClick={onChoose}>
          {choose}
        </Button>
      )}
      {onRemove && (
        <Button {...shared} leftSection={<IconTrash size={14} />} disabled={busy} onClick={() => void onRemove()}>
          {t("files.upload.remove")}
        </Button>
      )}
    </div>
  );
}

function useUpload({ kind, owner, value, save }: PictureUploadProps, maxBytes: number | undefined) {
  const { t } = useText();
  const [progress, setProgress] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  async function act(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (problem) {
      setError(problem);
    }
    setProgress(null);
    setBusy(false);
  }

  const take = async (file: File) =>
    await act(async () => {
      if (maxBytes !== undefined && file.size > maxBytes)
        throw await withText(new Problem("files.tooLarge", 413, { params: { limit: megabytes(maxBytes) } }));
      setProgress(0);
      const controller = new AbortController();
      leaving.current = controller;
      const input = { params: { kindOrId: kind, ownerOrVariant: owner }, query: { name: file.name || "file" } };
      const taken = await upload(uploadFile, input, file, { onProgress: setProgress, signal: controller.signal });
      await save(taken.id);
    });

  const remove = async () =>
    await act(async () => {
      await save(null);
      const before = value?.id;
      if (before === undefined) return;
      const run = () => void act(async () => void (await save(before)));
      showToast({ tone: "info", title: t("files.upload.removed"), action: { label: t("files.upload.undo"), run } });
    });

  return { progress, busy, error, take, remove };
}
