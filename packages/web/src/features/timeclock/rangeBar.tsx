import { ActionIcon, Select } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { type Translate, useText } from "#core/i18n.ts";
import type { Language } from "#core/preferences.ts";
import { calendarDay, localeOf } from "#core/time.ts";
import { DayInput } from "#ui/dayInput.tsx";
import { type Range, type Span, spans, stepped, weekOf } from "./range.ts";
import type { TimeclockSearch } from "./timeclock.search.ts";
import classes from "./timeclock.module.css";

interface RangeBarProps {
  readonly span: Span;
  readonly range: Range;
  onChange(next: Pick<TimeclockSearch, "span" | "day" | "until">): void;
}

/** Which days the page shows, with the way to those before and after. */
export function RangeBar({ span, range, onChange }: RangeBarProps) {
  const { t, language } = useText();
  const step = (direction: 1 | -1) => onChange({ span, day: stepped(span, range, direction) });
  return (
    <div className={classes["bar"]}>
      <Select
        className={classes["span"] ?? ""}
        aria-label={t("timeclock.range.label")}
        data={spans.map((value) => ({ value, label: t(`timeclock.range.${value}`) }))}
        value={span}
        allowDeselect={false}
        onChange={(value) => value !== null && onChange({ span: value, day: range.firstDay, until: range.lastDay })}
      />
      {span === "free" ? (
        <>
          <DayInput
            label={t("timeclock.range.from")}
            value={range.firstDay}
            onChange={(day) => day !== "" && onChange({ span, day, until: range.lastDay })}
          />
          <DayInput
            label={t("timeclock.range.to")}
            value={range.lastDay}
            onChange={(until) => until !== "" && onChange({ span, day: range.firstDay, until })}
          />
        </>
      ) : (
        <div className={classes["steps"]}>
          <Step label={t("timeclock.range.before")} run={() => step(-1)}>
            <IconChevronLeft size={16} />
          </Step>
          <strong aria-live="polite">{rangeName(t, language, span, range)}</strong>
          <Step label={t("timeclock.range.after")} run={() => step(1)}>
            <IconChevronRight size={16} />
          </Step>
        </div>
      )}
    </div>
  );
}

function Step({ label, run, children }: { readonly label: string; run(): void; readonly children: React.ReactNode }) {
  return (
    <ActionIcon variant="default" size="lg" aria-label={label} title={label} onClick={run}>
      {children}
    </ActionIcon>
  );
}

/** "18 Nov 2026", "Week 47, 16 Nov 2026 to 22 Nov 2026" or "November 2026". */
function rangeName(t: Translate, language: Language, span: Span, { firstDay, lastDay }: Range): string {
  if (span === "day") return calendarDay(firstDay, language);
  if (span === "month") {
    const format = new Intl.DateTimeFormat(localeOf(language), { month: "long", year: "numeric", timeZone: "UTC" });
    return format.format(Date.parse(`${firstDay}T00:00:00Z`));
  }
  return t("timeclock.range.named", {
    week: weekOf(firstDay),
    first: calendarDay(firstDay, language),
    last: calendarDay(lastDay, language),
  });
}
