import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Select } from "@mantine/core";
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
import contract from "virtual:form/notices/createNotice";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useContractForm, type FieldInfo } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { usePreferences } from "#core/preferences.ts";
import { queryOf } from "#core/queries.ts";
import { api, transport } from "#core/services.ts";
import { absoluteTime } from "#core/time.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { AreaField, OwnField, SwitchField, TextField } from "#ui/formFields.tsx";
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
  readonly [field: string]: unknown;
  readonly title: string;
  readonly text: string;
  readonly expiresAt: number | null;
  readonly access: { readonly public: boolean; readonly entries: Entries };
  /** Ids of files. */
  readonly attachments: readonly number[];
}

export interface NoticeEditorProps {
  /** Null for a new one. */
  readonly id: number | null;
  onClose(changed: boolean): void;
}

/** Edits a notice and who may see it. */
export default function NoticeEditor({ id, onClose }: NoticeEditorProps) {
  const { t } = useText();
  const query = useQuery({ ...queryOf(getNotice, { params: { id: id ?? 0 } }), enabled: id !== null, staleTime: 0 });
  // Closing asks the form first, once there is one.
  const close = useRef(() => onClose(false));
  const form = (loaded: Loaded | null) => (
    <EditorForm loaded={loaded} onClose={onClose} askFirst={(leave) => (close.current = leave)} />
  );
  return (
    <Dialog size="lg" onClose={() => close.current()} title={t(id === null ? "notices.new" : "notices.panel.change")}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {id === null
        ? form(null)
        : query.data && query.isFetchedAfterMount
          ? form(query.data)
          : !query.isError && <Bars widths={["100%", "100%", "60%"]} />}
    </Dialog>
  );
}

const valuesOf = ({ notice, access }: Loaded): Values => ({
  title: notice.title,
  text: notice.text,
  expiresAt: notice.expiresAt,
  access: { public: access?.public ?? false, entries: access?.entries ?? [] },
  attachments: notice.attachments.map(({ id }) => id),
});

function useStored(loaded: Loaded | null) {
  const { character } = useActiveIdentity();
  const { name } = character.job;
  return useMemo(() => {
    if (loaded) return { version: loaded.notice.version, values: valuesOf(loaded) };
    const own = { subject: "job", job: name, minGrade: 0, id: 0, level: "view", required: null } as const;
    const expiresAt = transport.serverNow() + 7 * DAY;
    const values: Values = { title: "", text: "", expiresAt, access: { public: false, entries: [own] }, attachments: [] };
    return { version: 0, values };
  }, [loaded, name]);
}

function useFields(mayPublish: boolean): Readonly<Record<string, FieldInfo>> {
  const { t } = useText();
  const { language } = usePreferences();
  const until = (value: unknown) =>
    typeof value === "number" ? absoluteTime(value, language) : t("notices.panel.staysFor.never");
  const who = (value: unknown) =>
    (value as Entries)
      .map(({ subject, job, minGrade, id, name, level }) => {
        const whom = subject === "job" ? `${job} ${minGrade}+` : (name ?? `${subject} ${id}`);
        return `${whom}: ${t(`accesslists.levels.${level}`, { defaultValue: level })}`;
      })
      .join("\n");
  return {
    title: { label: t("notices.panel.title") },
    text: { label: t("notices.panel.text") },
    expiresAt: { label: t("notices.panel.stays"), show: until },
    ...(mayPublish ? { "access.public": { label: t("notices.panel.everybody") } } : {}),
    attachments: { label: t("files.panel.attach.label"), show: (value) => String((value as readonly number[]).length) },
    "access.entries": { label: t("accesslists.title"), show: who },
  };
}

interface FormProps {
  readonly loaded: Loaded | null;
  onClose(changed: boolean): void;
  /** Gets what to do when the dialog is closed. */
  askFirst(leave: () => void): void;
}

function EditorForm({ loaded, onClose, askFirst }: FormProps) {
  const { t } = useText();
  const abilities = useAbilities();
  const [sending, setSending] = useState(false);
  const mayPublish = loaded?.notice.public === true || abilities.sees(noticesPermissions.create, "public");
  const mayNameOthers = ["jobs", "public"].some((field) => abilities.sees(noticesPermissions.create, field));
  const id = loaded?.notice.id ?? null;
  const stored = useStored(loaded);
  const form = useContractForm<Values>({
    contract,
    fields: useFields(mayPublish),
    stored,
    draft: id === null ? "notice.new" : `notice.${id}`,
    async save(values, version) {
      const body = {
        ...values,
        access: { ...values.access, entries: [...values.access.entries] },
        attachments: [...values.attachments],
      };
      if (id === null) await api.call(createNotice, { body });
      else await api.call(putNotice, { params: { id }, body: { version, ...body } });
    },
    async read() {
      const now = await api.call(getNotice, { params: { id: id ?? 0 } });
      return { version: now.notice.version, values: valuesOf(now) };
    },
    saved: () => onClose(true),
  });
  const close = () => onClose(false);
  askFirst(() => form.model.leave(close));
  return (
    <Form form={form} className={classes["form"]}>
      <TextField at="title" autoFocus />
      <AreaField at="text" rows={5} />
      <OwnField<number | null> at="expiresAt">
        {({ value, set }) => <ExpirySelect stored={loaded === null ? null : stored.values} value={value} onChange={set} />}
      </OwnField>
      {mayPublish && <SwitchField at="access.public" />}
      <Suspense fallback={<Bars widths={["100%", "60%"]} />}>
        <OwnField<readonly number[]> at="attachments">
          {({ value, set }) => (
            <AttachmentsField
              kind={attachmentKind}
              owner={id === null ? null : String(id)}
              most={noticeLimits.attachments}
              value={value}
              onChange={set}
              onBusy={setSending}
            />
          )}
        </OwnField>
      </Suspense>
      <Suspense fallback={<Bars widths={["100%", "100%"]} />}>
        <OwnField<Entries> at="access.entries">
          {({ value, set }) => <AccessEditor levels={noticeLevels} value={value} otherJobs={mayNameOthers} onChange={set} />}
        </OwnField>
      </Suspense>
      <FormBar save={t(id === null ? "notices.panel.putUp" : "notices.panel.save")} onClose={close} disabled={sending} />
    </Form>
  );
}

interface ExpiryProps {
  /** Of a notice that exists: its expiry may stay as it is. */
  readonly stored: Values | null;
  readonly value: number | null;
  onChange(value: number | null): void;
}

function ExpirySelect({ stored, value, onChange }: ExpiryProps) {
  const { t } = useText();
  const [chosen, setChosen] = useState<string>(stored ? "keep" : "7");
  const shown = stored && value === stored.expiresAt ? "keep" : value === null ? "never" : chosen;
  const choose = (stays: string | null) => {
    if (stays === null) return;
    setChosen(stays);
    if (stays === "keep") onChange(stored?.expiresAt ?? null);
    else onChange(stays === "never" ? null : transport.serverNow() + Number(stays) * DAY);
  };
  return (
    <Select
      label={t("notices.panel.stays")}
      data={STAYS.filter((one) => one !== "keep" || stored !== null).map((one) => ({
        value: one,
        label: t(`notices.panel.staysFor.${one}`),
      }))}
      value={shown}
      onChange={choose}
      allowDeselect={false}
    />
  );
}
