import { useId, useRef, useState, type KeyboardEvent } from "react";
import { NativeSelect, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { useJobLabels, useJobs } from "#core/jobs.tsx";
import { part } from "#core/part.ts";
import { DayInput } from "./dayInput.tsx";
import { useTypedText } from "./list.tsx";
import { enough, labelOf, type Filter, type FilterValues } from "./listFilters.ts";
import type { ManyFieldProps } from "./manyField.tsx";
import type { SelectFieldProps } from "./selectField.tsx";

const ManyField = part<ManyFieldProps>([], () => import("./manyField.tsx"));
const SelectField = part<SelectFieldProps>([], () => import("./selectField.tsx"));

export interface FieldsProps {
  readonly filters: readonly Filter[];
  readonly values: FilterValues;
  /** An empty value removes the filter. */
  onPut(id: string, value: string): void;
}

/** A field for each filter that the viewer is offered. */
export function FilterFields({ filters, values, onPut }: FieldsProps) {
  return filters
    .filter(({ offered }) => offered !== false)
    .map((filter) => (
      <FilterField
        key={filter.id}
        filter={filter}
        value={values[filter.id] ?? ""}
        onChange={(value) => onPut(filter.id, value)}
      />
    ));
}

interface FieldProps<F extends Filter = Filter> {
  readonly filter: F;
  readonly value: string;
  onChange(value: string): void;
}

type Kind<K extends Filter["kind"]> = FieldProps<Extract<Filter, { kind: K }>>;

function FilterField({ filter, value, onChange }: FieldProps) {
  const { label } = filter;
  switch (filter.kind) {
    case "text":
      return <TypedField filter={filter} value={value} onChange={onChange} />;
    case "day":
      return <DayInput label={label} value={value} onChange={onChange} />;
    case "job":
      return <JobFilter label={label} placeholder={filter.placeholder} value={value} onChange={onChange} />;
    case "choice":
      return (
        <NativeSelect
          label={label}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[{ value: "", label: filter.placeholder }, ...filter.options]}
        />
      );
    case "pick":
      return (
        <LateSelect
          label={label}
          placeholder={filter.placeholder}
          options={filter.options}
          nothingFound={filter.nothingFound}
          value={value}
          onChange={onChange}
        />
      );
    case "picks":
      return (
        <ManyField
          label={label}
          placeholder={filter.placeholder}
          options={filter.options}
          most={filter.most}
          nothingFound={filter.nothingFound}
          value={value}
          onChange={onChange}
        />
      );
    case "link":
      return null;
  }
}

function TypedField({ filter, value, onChange }: Kind<"text">) {
  const { t } = useText();
  const { label, maxLength, inputMode, least } = filter;
  const [text, setText] = useTypedText(value, onChange, (typed) => (enough(typed, least) ? typed.trim() : ""));
  const short = least && text.trim() !== "" && !enough(text, least);
  return (
    <TextInput
      label={label}
      error={short ? t(`web.filter.least.${least.of}`, { count: least.count }) : null}
      maxLength={maxLength}
      autoComplete="off"
      spellCheck={false}
      {...(inputMode ? { inputMode } : {})}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

interface JobFilterProps {
  readonly label: string;
  readonly placeholder: string;
  /** Empty for none. */
  readonly value: string;
  onChange(job: string): void;
}

/** One of the jobs, or none. */
export function JobFilter(props: JobFilterProps) {
  const { t } = useText();
  const jobs = useJobs();
  const label = useJobLabels();
  const options = (jobs.data?.jobs ?? []).map(({ name }) => ({ value: name, label: label(name) }));
  return (
    <LateSelect {...props} options={options} jobs nothingFound={jobs.isPending ? t("web.loading") : t("web.filter.noSuchJob")} />
  );
}

interface Before {
  open: boolean;
  typed: string;
}

type LateSelectProps = Omit<SelectFieldProps, "open" | "typed">;

/** A select that looks like a text field until it is first used: only then the library's select is loaded. */
function LateSelect(props: LateSelectProps) {
  const { label, placeholder, value, options } = props;
  const [begun, setBegun] = useState<Before | null>(null);
  /** What was done with the text field, also between the end of loading and the first rendering of the select. */
  const before = useRef<Before>({ open: false, typed: "" });
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  if (begun) return <SelectField {...props} {...begun} />;

  const load = async () => {
    await SelectField.load();
    // Somebody who went on meanwhile is not called back.
    if (document.activeElement === input.current) setBegun(before.current);
  };
  const onKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (ctrlKey || metaKey || altKey) return;
    if (key.length === 1) before.current.typed += key;
    if (key.length === 1 || key === "ArrowDown" || key === "Enter") before.current.open = true;
  };
  return (
    <TextInput
      ref={input}
      label={label}
      placeholder={placeholder}
      value={value === "" ? "" : labelOf(options, value)}
      rightSection={<IconChevronDown size={15} aria-hidden />}
      rightSectionPointerEvents="none"
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      aria-controls={listId}
      readOnly
      onPointerEnter={() => void SelectField.load()}
      onFocus={() => void load()}
      onClick={() => (before.current.open = true)}
      onKeyDown={onKey}
    />
  );
}
