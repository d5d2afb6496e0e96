import { Select, type SelectProps } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import type { Call } from "./calls.queries.ts";
import { distanceOf } from "./merge.ts";
import { refOf } from "./ref.ts";

interface CallSelectProps extends Pick<SelectProps, "label" | "description" | "nothingFoundMessage" | "value" | "onChange"> {
  readonly call: Call;
  readonly others: readonly Call[];
  /** Further ones, by their number. */
  readonly more?: readonly number[];
  onTyped?(text: string): void;
}

/** One of several other calls, each with what tells it apart. */
export function CallSelect({ call, others, more = [], onTyped, ...props }: CallSelectProps) {
  const { t } = useText();
  const labelOf = (one: Call) => {
    const distance = distanceOf(call, one);
    const far = distance === null ? null : t("calls.merge.metres", { count: Math.round(distance) });
    return [refOf(one.id), one.type?.name, one.postal, far, one.message].filter(Boolean).join(" · ");
  };
  const data = [
    ...others.map((one) => ({ value: String(one.id), label: labelOf(one) })),
    ...more.map((id) => ({ value: String(id), label: refOf(id) })),
  ];
  return (
    <Select {...props} data={data} searchable data-autofocus {...(onTyped === undefined ? {} : { onSearchChange: onTyped })} />
  );
}
