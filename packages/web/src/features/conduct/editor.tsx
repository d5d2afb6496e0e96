import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import {
  attachmentKind,
  type ConductKind,
  conductLimits,
  conductPermissions,
  createEntry,
  getEntry,
  putEntry,
} from "@rollcall/server/contract/conduct";
import { colleaguesPermissions } from "@rollcall/server/contract/colleagues";
import contract from "virtual:form/conduct/createEntry";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { exampleDay } from "#core/day.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { localeOf } from "#core/time.ts";
import { showToast } from "#core/toasts.ts";
import { ColleagueSelect } from "#features/colleagues/colleagues.api.ts";
import { loadAttachmentsField } from "#features/files/files.api.ts";
import { DayInput } from "#ui/dayInput.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { useFormAround } from "#ui/formContext.ts";
import { AreaField, NumberField, OwnField } from "#ui/formFields.tsx";
import { Bars, ProblemNote, RightHint } from "#ui/states.tsx";
import { type ConductEntry, readAgain, useKinds } from "./conduct.queries.ts";
import { dayIn } from "./days.ts";
import classes from "./conduct.module.css";

const AttachmentsField = lazy(loadAttachmentsField);

export interface EditorProps {
  /** Null for a new one. */
  readonly entry: ConductEntry | null;
  /** Whom a new one is about, where that is known. */
  readonly citizenId: number | null;
  onClose(): void;
  /** In place of `onClose`, once it is saved. */
  onSaved?(id: number): void;
}

/** Writes the draft of an entry. */
export default function Editor(props: EditorProps) {
  const { t } = useText();
  const query = useKinds();
  const close = useRef<() => void>(props.onClose);
  const kinds = query.data?.items.filter(({ deleted }) => !deleted) ?? [];
  return (
    <Dialog
      size="lg"
      title={t(props.entry === null ? "conduct.edit.new" : "conduct.edit.change")}
      onClose={() => close.current()}
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "100%", "60%"]} />}
      {query.data && kinds.length === 0 && <p className={classes["quiet"]}>{t("conduct.edit.noKinds")}</p>}
      {kinds.length > 0 && <EditorForm {...props} kinds={kinds} askFirst={(leave) => (close.current = leave)} />}
    </Dialog>
  );
}

interface Values extends Record<string, unknown> {
  readonly citizenId: number | null;
  readonly kindId: number | null;
  readonly points: number;
  readonly text: string;
  readonly expiresOn: string | null;
  readonly attachments: readonly number[];
}

const defaultsOf = ({ points, expiresAfter }: ConductKind) => ({
  points,
  expiresOn: expiresAfter === null ? null : dayIn(expiresAfter),
});

const valuesOf = ({ citizen, kind, points, text, expiresOn, attachments }: ConductEntry): Values => ({
  citizenId: citizen.id,
  kindId: kind.id,
  points,
  text,
  expiresOn,
  attachments: attachments.map(({ id }) => id),
});

const refusals = {
  "conduct.kindNotFound": "kindId",
  "conduct.notColleague": "citizenId",
  "conduct.notLower": "citizenId",
  "conduct.aboutYourself": "citizenId",
  "conduct.entriesFull": "citizenId",
  "conduct.expiresTooEarly": "expiresOn",
  "conduct.expiresTooLate": "expiresOn",
} as const;

interface FormProps extends EditorProps {
  readonly kinds: readonly ConductKind[];
  /** Gets what to do when the dialog is closed. */
  askFirst(leave: () => void): void;
}

function useStored({ entry, citizenId, kinds }: Pick<FormProps, "entry" | "citizenId" | "kinds">) {
  const [first] = kinds;
  return useMemo(() => {
    if (entry !== null) return { version: entry.version, values: valuesOf(entry) };
    const fresh: Values = { citizenId, kindId: first!.id, ...defaultsOf(first!), text: "", attachments: [] };
    return { version: 0, values: fresh };
    // A kind that somebody changes at the same time does not begin the form again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [entry, citizenId]);
}

function EditorForm({ entry, citizenId, kinds, onClose, onSaved, askFirst }: FormProps) {
  const { t, language } = useText();
  const queries = useQueryClient();
  const [sending, setSending] = useState(false);
  const saved = useRef<number | null>(null);
  const id = entry?.id ?? null;
  const form = useContractForm<Values>({
    contract,
    fields: {
      citizenId: { label: t("conduct.person") },
      kindId: { label: t("conduct.kind"), show: (one) => kinds.find((kind) => kind.id === one)?.name ?? "" },
      points: { label: t("conduct.pointsLabel") },
      expiresOn: { label: t("conduct.expiresOn"), form: t("conduct.edit.day", { example: exampleDay(localeOf(language)) }) },
      text: { label: t("conduct.text") },
      attachments: { label: t("conduct.attachments"), show: (value) => String((value as readonly number[]).length) },
    },
    stored: useStored({ entry, citizenId, kinds }),
    draft: id === null ? "conduct.new" : `conduct.${id}`,
    refusals,
    async save({ citizenId: about, kindId, attachments, ...values }, version) {
      const body = { ...values, kindId: kindId ?? 0, attachments: [...attachments] };
      const written =
        id === null
          ? await api.call(createEntry, { body: { ...body, citizenId: about ?? 0 } })
          : await api.call(putEntry, { params: { id }, body: { ...body, version } });
      saved.current = written.id;
      showToast({ tone: "success", title: t("conduct.edit.saved") });
    },
    async read() {
      const now = await api.call(getEntry, { params: { id: id ?? 0 } });
      return { version: now.version, values: valuesOf(now) };
    },
    saved() {
      readAgain(queries);
      if (saved.current === null || onSaved === undefined) onClose();
      else onSaved(saved.current);
    },
  });
  askFirst(() => form.model.leave(onClose));
  return (
    <Form form={form} className={classes["form"]}>
      {entry === null && <PersonField />}
      <KindField kinds={kinds} isNew={entry === null} />
      <div className={classes["two"]}>
        <NumberField at="points" />
        <OwnField<string | null> at="expiresOn">
          {({ value, set, error }) => (
            <DayInput label={t("conduct.expiresOn")} value={value ?? ""} onChange={(day) => set(day || null)} error={error} />
          )}
        </OwnField>
      </div>
      <p className={classes["quiet"]}>{t("conduct.edit.expiresHint")}</p>
      <AreaField at="text" rows={6} />
      <Suspense fallback={<Bars widths={["100%", "60%"]} />}>
        <OwnField<readonly number[]> at="attachments">
          {({ value, set }) => (
            <AttachmentsField
              kind={attachmentKind}
              owner={id === null ? null : String(id)}
              most={conductLimits.attachments}
              value={value}
              onChange={set}
              onBusy={setSending}
            />
          )}
        </OwnField>
      </Suspense>
      <FormBar save={t("conduct.edit.save")} onClose={onClose} disabled={sending} />
    </Form>
  );
}

function PersonField() {
  const { t } = useText();
  const abilities = useAbilities();
  const { grade } = useActiveIdentity().character.job;
  const listsPeople = abilities.has(colleaguesPermissions.list);
  const below = abilities.sees(conductPermissions.write, "any") ? undefined : grade;
  return (
    <OwnField<number | null> at="citizenId">
      {({ value, set, error }) =>
        listsPeople ? (
          <ColleagueSelect
            label={t("conduct.person")}
            nobody={t("conduct.nobody")}
            value={value}
            onChange={set}
            error={error}
            below={below}
          />
        ) : (
          <>
            <p className={classes["quiet"]}>{value === null ? t("conduct.edit.noPerson") : `CIT-${value}`}</p>
            {value === null && <RightHint permission={colleaguesPermissions.list.id} />}
            {error}
          </>
        )
      }
    </OwnField>
  );
}

/** Another kind brings its points and its expiry into a new entry. */
function KindField({ kinds, isNew }: { readonly kinds: readonly ConductKind[]; readonly isNew: boolean }) {
  const { t } = useText();
  const { inputs } = useFormAround();
  return (
    <OwnField<number | null> at="kindId">
      {({ value, set, error }) => {
        const choose = (id: string | null) => {
          const kind = kinds.find((one) => String(one.id) === id);
          if (kind === undefined) return;
          set(kind.id);
          if (!isNew) return;
          for (const [name, given] of Object.entries(defaultsOf(kind))) inputs.setFieldValue(name, given);
        };
        return (
          <Select
            label={t("conduct.kind")}
            data={kinds.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={kinds.some(({ id }) => id === value) ? String(value) : null}
            onChange={choose}
            allowDeselect={false}
            error={error}
          />
        );
      }}
    </OwnField>
  );
}
