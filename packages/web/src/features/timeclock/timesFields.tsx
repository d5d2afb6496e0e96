import { Select, TextInput } from "@mantine/core";
import { type Translate, useText } from "#core/i18n.ts";
import { DayInput } from "#ui/dayInput.tsx";
import { OwnField } from "#ui/formFields.tsx";
import classes from "./timeclock.module.css";

type Which = "earlier" | "later" | null;

/** What people ask for: local times, and which one of those that occur twice. */
export interface Times extends Record<string, unknown> {
  readonly from: string;
  readonly fromWhich: Which;
  readonly to: string;
  readonly toWhich: Which;
  readonly reason: string;
}

export const refusals = {
  "timeclock.noFrom": "from",
  "timeclock.noTo": "to",
  "timeclock.endBeforeStart": "to",
  "timeclock.future": "to",
  "timeclock.tooOld": "from",
  "timeclock.overlaps": "from",
  "timeclock.overlapsElsewhere": "from",
  "timeclock.running": "to",
  "timeclock.unchanged": "to",
} as const;

export const timeLabels = (t: Translate) => ({
  from: { label: t("timeclock.correct.from"), form: t("timeclock.correct.time") },
  fromWhich: { label: t("timeclock.correct.fromWhich") },
  to: { label: t("timeclock.correct.to"), form: t("timeclock.correct.time") },
  toWhich: { label: t("timeclock.correct.toWhich") },
  reason: { label: t("timeclock.correct.reason") },
});

/** The beginning and the end; `twice`: with the choice where the clock was set back. */
export function TimesFields({ twice }: { readonly twice: boolean }) {
  return (["from", "to"] as const).map((at) => (
    <div key={at} className={classes["two"]}>
      <Moment at={at} />
      {twice && <WhichField at={`${at}Which`} />}
    </div>
  ));
}

/** A day and a time, which the form has as one. */
function Moment({ at }: { readonly at: "from" | "to" }) {
  const { t } = useText();
  return (
    <OwnField<string> at={at}>
      {({ value, set, error }) => {
        const [day = "", time = ""] = value.split("T");
        return (
          <div className={classes["two"]}>
            <DayInput label={t(`timeclock.correct.${at}Day`)} value={day} onChange={(next) => set(`${next}T${time}`)} required />
            <TextInput
              label={t(`timeclock.correct.${at}`)}
              value={time}
              maxLength={8}
              inputMode="numeric"
              autoComplete="off"
              error={error}
              onChange={(event) => set(`${day}T${event.currentTarget.value}`)}
            />
          </div>
        );
      }}
    </OwnField>
  );
}

/** Where the clock was set back, a time occurs twice. */
function WhichField({ at }: { readonly at: "fromWhich" | "toWhich" }) {
  const { t } = useText();
  return (
    <OwnField<Which> at={at}>
      {({ value, set, error }) => (
        <Select
          label={t(`timeclock.correct.${at}`)}
          data={(["earlier", "later"] as const).map((one) => ({ value: one, label: t(`timeclock.correct.${one}`) }))}
          value={value}
          clearable
          clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
          onChange={set}
          error={error}
        />
      )}
    </OwnField>
  );
}
