import { Select } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { OwnField } from "#ui/formFields.tsx";

export const PRIORITIES = [1, 2, 3, 4, 5] as const;

interface NumberChoiceProps {
  readonly at: string;
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  /** What nothing chosen means; without it something must be chosen. */
  readonly none?: string;
}

/** One of a set of numbers, as `null` where nothing is chosen. */
export function NumberChoice({ at, label, data, none }: NumberChoiceProps) {
  return (
    <OwnField<number | null> at={at}>
      {({ value, set, error }) => (
        <Select
          label={label}
          data={[...data]}
          value={value === null ? null : String(value)}
          onChange={(chosen) => set(chosen === null ? null : Number(chosen))}
          allowDeselect={none !== undefined}
          clearable={none !== undefined}
          placeholder={none ?? ""}
          error={error}
        />
      )}
    </OwnField>
  );
}

export function PriorityField({ none }: { readonly none?: string }) {
  const { t } = useText();
  const data = PRIORITIES.map((priority) => ({ value: String(priority), label: t("calls.priorities", { priority }) }));
  return <NumberChoice at="priority" label={t("calls.columns.priority")} data={data} {...(none === undefined ? {} : { none })} />;
}
