import { useRef, useState } from "react";
import { Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type AbsenceKind, enterAbsence, listOf, listOwn, requestAbsence, shippedKind } from "@rollcall/server/contract/absences";
import { colleaguesPermissions } from "@rollcall/server/contract/colleagues";
import contract from "virtual:form/absences/requestAbsence";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { exampleDay, isDay } from "#core/day.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { localeOf } from "#core/time.ts";
import { showToast } from "#core/toasts.ts";
import { ColleagueSelect } from "#features/colleagues/colleagues.api.ts";
import { DayInput } from "#ui/dayInput.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { useFormValue } from "#ui/formContext.ts";
import { AreaField, OwnField } from "#ui/formFields.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { today, useCapacity, useKinds } from "./absences.queries.ts";
import { overfullDays } from "./calendar.ts";
import classes from "./absences.module.css";

export interface RequestDialogProps {
  /** For whom it is entered; the viewer's own when left out. */
  readonly person?: { readonly id: number; readonly name: string };
  onClose(): void;
}

/** Asks for an absence, or enters one for a colleague. */
export default function RequestDialog({ person, onClose }: RequestDialogProps) {
  const { t } = useText();
  const query = useKinds();
  const close = useRef<() => void>(onClose);
  return (
    <Dialog
      title={person === undefined ? t("absences.ask.title") : t("absences.enter.title", { name: person.name })}
      onClose={() => close.current()}
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "100%", "60%"]} />}
      {query.data && (
        <RequestForm
          kinds={query.data.items.filter(({ deleted }) => !deleted)}
          {...(person === undefined ? {} : { person })}
          onClose={onClose}
          askFirst={(leave) => (close.current = leave)}
        />
      )}
    </Dialog>
  );
}

interface Values extends Record<string, unknown> {
  readonly kindId: number | null;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly reason: string | null;
  readonly substituteId: number | null;
}

interface FormProps extends RequestDialogProps {
  /** Without one the job has the kind that comes with Rollcall. */
  readonly kinds: readonly AbsenceKind[];
  /** Gets what to do when the dialog is closed. */
  askFirst(leave: () => void): void;
}

const refusals = {
  "absences.kindNotFound": "kindId",
  "absences.lastBeforeFirst": "lastDay",
  "absences.tooEarly": "firstDay",
  "absences.tooLate": "lastDay",
  "absences.tooLong": "lastDay",
  "absences.overlaps": "firstDay",
  "absences.substituteUnknown": "substituteId",
} as const;

function RequestForm({ kinds, person, onClose, askFirst }: FormProps) {
  const { t, language } = useText();
  const queries = useQueryClient();
  const own = useActiveIdentity().character.id;
  const names = useAbilities().has(colleaguesPermissions.list);
  const [stored] = useState(() => {
    const day = today();
    return { version: 0, values: { kindId: kinds[0]?.id ?? null, firstDay: day, lastDay: day, reason: "", substituteId: null } };
  });
  const wrongDay = t("absences.ask.day", { example: exampleDay(localeOf(language)) });
  const form = useContractForm<Values>({
    contract,
    fields: {
      kindId: {
        label: t("absences.ask.kind"),
        show: (id) => kinds.find((one) => one.id === id)?.name ?? t("absences.shippedKind"),
      },
      firstDay: { label: t("absences.ask.firstDay"), form: wrongDay },
      lastDay: { label: t("absences.ask.lastDay"), form: wrongDay },
      reason: { label: t("absences.ask.reason") },
      substituteId: { label: t("absences.ask.substitute") },
    },
    stored,
    draft: person === undefined ? "absence.new" : `absence.of.${person.id}`,
    refusals,
    async save(values) {
      const { state } =
        person === undefined
          ? await api.call(requestAbsence, { body: values })
          : await api.call(enterAbsence, { body: { ...values, citizenId: person.id } });
      const entered = person === undefined ? t("absences.ask.entered") : t("absences.enter.entered", { name: person.name });
      showToast({ tone: "success", title: state === "requested" ? t("absences.ask.sent") : entered });
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [person === undefined ? listOwn.id : listOf.id] });
      onClose();
    },
  });
  const leave = () => form.model.leave(onClose);
  askFirst(leave);
  return (
    <Form form={form} className={classes["form"]}>
      {kinds.length > 0 && (
        <OwnField<number | null> at="kindId">
          {({ value, set, error }) => (
            <Select
              label={t("absences.ask.kind")}
              data={kinds.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={value === null ? null : String(value)}
              onChange={(id) => set(id === null ? null : Number(id))}
              allowDeselect={false}
              error={error}
            />
          )}
        </OwnField>
      )}
      <KindHint kinds={kinds} counts={person !== undefined} />
      <div className={classes["two"]}>
        {(["firstDay", "lastDay"] as const).map((at) => (
          <OwnField<string> key={at} at={at}>
            {({ value, set, error }) => (
              <DayInput label={t(`absences.ask.${at}`)} value={value} onChange={set} error={error} required />
            )}
          </OwnField>
        ))}
      </div>
      <CapacityWarning />
      <AreaField
        at="reason"
        rows={2}
        description={t(person === undefined ? "absences.ask.reasonHint" : "absences.enter.reasonHint")}
      />
      {names && (
        <OwnField<number | null> at="substituteId">
          {({ value, set, error }) => (
            <ColleagueSelect
              label={t("absences.ask.substitute")}
              description={t("absences.ask.substituteHint")}
              nobody={t("absences.ask.nobody")}
              except={person?.id ?? own}
              value={value}
              onChange={set}
              error={error}
            />
          )}
        </OwnField>
      )}
      <FormButtons
        submit={t(person === undefined ? "absences.ask.send" : "absences.enter.save")}
        cancel={{ text: t("web.cancel"), run: leave }}
      />
    </Form>
  );
}

type Limits = Pick<AbsenceKind, "needsApproval" | "daysBack" | "daysAhead" | "mostDays">;

const hintOf = (t: Translate, { needsApproval, daysBack, daysAhead, mostDays }: Limits, counts: boolean): string =>
  `${t(counts ? "absences.enter.counts" : needsApproval ? "absences.ask.needsApproval" : "absences.ask.noApproval")} ${t(
    "absences.ask.limits",
    {
      back: daysBack,
      ahead: daysAhead,
      count: mostDays,
    },
  )}`;

/** What the chosen kind allows, before somebody is refused. */
function KindHint({ kinds, counts }: { readonly kinds: readonly AbsenceKind[]; readonly counts: boolean }) {
  const { t } = useText();
  const id = useFormValue<number | null>("kindId");
  const kind: Limits | undefined = kinds.length === 0 ? shippedKind : kinds.find((one) => one.id === id);
  return kind === undefined ? null : <p className={classes["quiet"]}>{hintOf(t, kind, counts)}</p>;
}

/** Longer times are asked about by nobody: no kind allows them. */
const MOST_DAYS = 366;

/** Says before sending that many are absent on these days already; it refuses nothing. */
function CapacityWarning() {
  const { t } = useText();
  const [firstDay, lastDay] = [useFormValue<string>("firstDay"), useFormValue<string>("lastDay")];
  const isSpan = isDay(firstDay) && isDay(lastDay) && firstDay <= lastDay;
  const asked = isSpan && Date.parse(lastDay) - Date.parse(firstDay) < MOST_DAYS * 86_400_000 ? { firstDay, lastDay } : null;
  const { data } = useCapacity(asked);
  const days = asked === null || data === undefined ? [] : overfullDays(data, 1);
  return (
    <div role="status">
      {days.length > 0 && (
        <p className={`${classes["quiet"]} ${classes["warning"]}`}>
          {t("absences.capacity.days", { count: days.length, most: data?.most })}
        </p>
      )}
    </div>
  );
}
