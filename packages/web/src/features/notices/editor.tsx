import { lazy, Suspense, useMemo, useState, type FormEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button, Modal, Select, Switch, Textarea, TextInput } from "@mantine/core";
import type { OutputOf } from "@rollcall/server/contract/core";
import {
  attachmentKind,
  createNotice,
  getNotice,
  noticeLevels,
  noticeLimits,
  noticesPermissions,
  putNotice,
} from "@rollcall/server/contract/notices";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useDraft } from "#core/drafts.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api, transport } from "#core/services.ts";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type Entries, loadAccessEditor } from "#features/accesslists/accesslists.api.ts";
import { loadAttachmentsField } from "#features/files/files.api.ts";
import classes from "./notices.module.css";

const AccessEditor = lazy(loadAccessEditor);
const AttachmentsField = lazy(loadAttachmentsField);

type Loaded = OutputOf<typeof getNotice>;

const DAY = 86_400_000;
const STAYS = ["keep", "never", "1", "7", "30"] as const;

interface Values {
  readonly title: string;
  readonly text: string;
  readonly stays: string;
  readonly public: boolean;
  readonly entries: Entries;
  /** Ids of files. */
  readonly attachments: readonly number[];
}

export interface NoticeEditorProps {
  /** Null for a new one. */
  readonly id: number | null;
  onClose(changed: boolean): void;
}

/** Edits a notice and who may see it. Typed input is kept as a draft until it is sent. */
export default function NoticeEditor({ id, onClose }: NoticeEditorProps) {
  const { t } = useText();
  const query = useQuery({ ...queryOf(getNotice, { params: { id: id ?? 0 } }), enabled: id !== null, staleTime: 0 });
  return (
    <Modal
      opened
      size="lg"
      onClose={() => onClose(false)}
      title={t(id === null ? "notices.new" : "notices.panel.change")}
      closeButtonProps={{ "aria-label": t("web.close") }}
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {id === null ? (
        <Form loaded={null} onClose={onClose} />
      ) : query.data ? (
        <Form key={query.data.notice.version} loaded={query.data} onClose={onClose} />
      ) : (
        !query.isError && <Bars widths={["100%", "100%", "60%"]} />
      )}
    </Modal>
  );
}

function useValues(loaded: Loaded | null) {
  const { character } = useActiveIdentity();
  const { name } = character.job;
  const empty = useMemo<Values>(() => {
    if (!loaded) {
      const own = { subject: "job", job: name, minGrade: 0, id: 0, level: "view", required: null } as const;
      return { title: "", text: "", stays: "7", public: false, entries: [own], attachments: [] };
    }
    const { title, text, attachments } = loaded.notice;
    const { public: isPublic = false, entries = [] } = loaded.access ?? {};
    return { title, text, stays: "keep", public: isPublic, entries, attachments: attachments.map(({ id }) => id) };
  }, [loaded, name]);
  return useDraft<Values>(loaded ? `notice.${loaded.notice.id}` : "notice.new", empty);
}

function Form({ loaded, onClose }: { loaded: Loaded | null; onClose: (changed: boolean) => void }) {
  const { t } = useText();
  const abilities = useAbilities();
  const draft = useValues(loaded);
  const [busy, setBusy] = useState(false);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { title, text, stays, entries, attachments } = draft.value;
  const wasPublic = loaded?.notice.public === true;
  const mayPublish = wasPublic || abilities.sees(noticesPermissions.create, "public");

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sending) return;
    setBusy(true);
    setError(null);
    const expiresAt =
      stays === "keep"
        ? (loaded?.notice.expiresAt ?? null)
        : stays === "never"
          ? null
          : transport.serverNow() + Number(stays) * DAY;
    const access = { public: draft.value.public, entries: [...entries] };
    const input = { title: title.trim(), text, expiresAt, access, attachments: [...attachments] };
    try {
      if (loaded) {
        const { id, version } = loaded.notice;
        await api.call(putNotice, { params: { id }, body: { version, ...input } });
      } else await api.call(createNotice, { body: input });
      draft.clear();
      onClose(true);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  return (
    <form className={classes["form"]} onSubmit={(event) => void submit(event)}>
      {error !== null && <ProblemNote error={error} />}
      <TextInput
        label={t("notices.panel.title")}
        maxLength={noticeLimits.title}
        required
        withAsterisk={false}
        data-autofocus
        value={title}
        onChange={(event) => draft.set({ title: event.currentTarget.value })}
      />
      <Textarea
        label={t("notices.panel.text")}
        rows={5}
        maxLength={noticeLimits.text}
        value={text}
        onChange={(event) => draft.set({ text: event.currentTarget.value })}
      />
      <ExpirySelect keep={loaded !== null} value={stays} onChange={(value) => draft.set({ stays: value })} />
      {mayPublish && (
        <Switch
          label={t("notices.panel.everybody")}
          checked={draft.value.public}
          onChange={(event) => draft.set({ public: event.currentTarget.checked })}
        />
      )}
      <Suspense fallback={<Bars widths={["100%", "60%"]} />}>
        <AttachmentsField
          kind={attachmentKind}
          owner={loaded ? String(loaded.notice.id) : null}
          most={noticeLimits.attachments}
          value={attachments}
          onChange={(value) => draft.set({ attachments: value })}
          onBusy={setSending}
        />
      </Suspense>
      <Suspense fallback={<Bars widths={["100%", "100%"]} />}>
        <AccessEditor levels={noticeLevels} value={entries} onChange={(value) => draft.set({ entries: value })} />
      </Suspense>
      <div className={classes["buttons"]}>
        <Button variant="default" onClick={() => onClose(false)}>
          {t("web.cancel")}
        </Button>
        <Button type="submit" loading={busy} disabled={title.trim() === "" || sending}>
          {t(loaded ? "notices.panel.save" : "notices.panel.putUp")}
        </Button>
      </div>
    </form>
  );
}

/** `keep`: offers to leave the expiry of an existing notice unchanged. */
function ExpirySelect({ keep, value, onChange }: { keep: boolean; value: string; onChange: (value: string) => void }) {
  const { t } = useText();
  return (
    <Select
      label={t("notices.panel.stays")}
      data={STAYS.filter((one) => one !== "keep" || keep).map((one) => ({
        value: one,
        label: t(`notices.panel.staysFor.${one}`),
      }))}
      value={value}
      onChange={(chosen) => chosen && onChange(chosen)}
      allowDeselect={false}
    />
  );
}
