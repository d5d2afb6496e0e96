import { TextInput } from "@mantine/core";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { JobFilter } from "#ui/jobFilter.tsx";
import { FilterBar, useTypedText } from "#ui/list.tsx";
import { looksComplete, parseDay, writeDay } from "#core/day.ts";
import type { CitizensSearch } from "./citizens.search.ts";

const FURTHER = ["dateOfBirth", "phone", "plate", "job"] as const;

/** The filters of the list. A filter on a field that the viewer may not see is not offered. */
export function CitizenFilters({
  search,
  onChange,
  onInto,
}: {
  search: CitizensSearch;
  onChange: (next: CitizensSearch) => void;
  onInto: () => void;
}) {
  const { t } = useText();
  const abilities = useAbilities();
  const sees = (field: string) => abilities.sees(citizensPermissions.list, field);

  const put = (field: keyof CitizensSearch, value: string | null) => {
    const { top: _top, [field]: _old, ...rest } = search;
    onChange(value ? { ...rest, [field]: value } : rest);
  };

  return (
    <FilterBar
      label={t("citizens.searchLabel")}
      query={search.q ?? ""}
      onQuery={(text) => put("q", text)}
      set={FURTHER.filter((field) => search[field] !== undefined).length}
      onClear={() => onChange({})}
      onInto={onInto}
    >
      <DayField
        label={t("citizens.columns.dateOfBirth")}
        value={search.dateOfBirth ?? ""}
        onChange={(value) => put("dateOfBirth", value)}
      />
      {sees("phone") && (
        <TypedField
          label={t("citizens.columns.phone")}
          value={search.phone ?? ""}
          maxLength={20}
          inputMode="tel"
          least={{ count: 3, of: "digits" }}
          onChange={(value) => put("phone", value)}
        />
      )}
      <TypedField
        label={t("citizens.plateLabel")}
        value={search.plate ?? ""}
        maxLength={32}
        least={{ count: 2, of: "characters" }}
        onChange={(value) => put("plate", value)}
      />
      {sees("job") && (
        <JobFilter
          label={t("citizens.columns.job")}
          placeholder={t("citizens.anyJob")}
          value={search.job ?? null}
          onChange={(value) => put("job", value)}
        />
      )}
    </FilterBar>
  );
}

function TypedField(props: {
  label: string;
  value: string;
  maxLength: number;
  inputMode?: "tel";
  /** Shorter texts find nothing and are not applied. */
  least: { count: number; of: "digits" | "characters" };
  onChange: (value: string) => void;
}) {
  const { t } = useText();
  const { count, of } = props.least;
  const isEnough = (typed: string) => typed.replace(of === "digits" ? /\D/g : /[\s-]/g, "").length >= count;
  const meaning = (typed: string) => (isEnough(typed) ? typed.trim() : "");
  const [text, setText] = useTypedText(props.value, props.onChange, meaning);
  return (
    <TextInput
      label={props.label}
      error={text.trim() === "" || isEnough(text) ? null : t(`web.filter.least.${of}`, { count })}
      maxLength={props.maxLength}
      autoComplete="off"
      spellCheck={false}
      {...(props.inputMode ? { inputMode: props.inputMode } : {})}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

/** The filter applies once the day is complete; an empty field removes it. A text field, as the game's browser has no picker. */
function DayField(props: { label: string; value: string; onChange: (value: string | null) => void }) {
  const { t, language } = useText();
  const [text, setText] = useTypedText(props.value === "" ? "" : writeDay(props.value, language), (typed) => {
    const day = parseDay(typed);
    if (typed.trim() === "" || day) props.onChange(day);
  });
  const wrong = looksComplete(text) && parseDay(text) === null;
  return (
    <TextInput
      label={props.label}
      placeholder={t("citizens.dayFormat")}
      error={wrong ? t("citizens.noSuchDay") : null}
      maxLength={10}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
