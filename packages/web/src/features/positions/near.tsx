import { Select } from "@mantine/core";
import { IconMapPin } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { codeTyped, foundCodes } from "./postals.search.ts";
import type { Postals } from "./positions.queries.ts";
import classes from "./positions.module.css";

/** As many are offered. */
const MOST = 20;

/** The postal whose neighbours come first. */
export function NearField(props: {
  readonly postals: Postals;
  /** Undefined for none. */
  readonly value: string | undefined;
  onChange(postal: string | undefined): void;
}) {
  const { t } = useText();
  const { postals, value, onChange } = props;
  const known = value === undefined || postals.placeOf(value) !== undefined;
  const { codes } = postals;
  return (
    <Select
      className={classes["near"] ?? ""}
      aria-label={t("positions.near.label")}
      placeholder={t("positions.near.label")}
      leftSection={<IconMapPin size={15} />}
      data={value === undefined || codes.includes(value) ? [...codes] : [value, ...codes]}
      value={value ?? null}
      onChange={(code) => onChange(code ?? undefined)}
      filter={({ options, search }) => {
        const texts = options.flatMap((option) => ("value" in option ? [option.value] : []));
        return foundCodes(texts, search, MOST).map((code) => ({ value: code, label: code }));
      }}
      // Who types a whole code and Enter at once is faster than the list of options.
      onKeyDown={({ key, currentTarget }) => {
        const code = key === "Enter" ? codeTyped(codes, currentTarget.value) : undefined;
        if (code !== undefined) onChange(code);
      }}
      allowDeselect={false}
      limit={MOST}
      searchable
      clearable
      selectFirstOptionOnChange
      error={known ? null : t("positions.near.none", { postal: value })}
      nothingFoundMessage={t("positions.near.noMatch")}
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
    />
  );
}
