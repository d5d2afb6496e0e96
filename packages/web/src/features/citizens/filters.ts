import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import type { Filter } from "#ui/listFilters.ts";

/** The filters of the list. A filter on a field that the viewer may not see is not offered. */
export function useCitizenFilters(): readonly Filter[] {
  const { t } = useText();
  const abilities = useAbilities();
  const sees = (field: string) => abilities.sees(citizensPermissions.list, field);
  return [
    { kind: "day", id: "dateOfBirth", label: t("citizens.columns.dateOfBirth") },
    {
      kind: "text",
      id: "phone",
      label: t("citizens.columns.phone"),
      offered: sees("phone"),
      maxLength: 20,
      inputMode: "tel",
      least: { count: 3, of: "digits" },
    },
    { kind: "text", id: "plate", label: t("citizens.plateLabel"), maxLength: 32, least: { count: 2, of: "characters" } },
    {
      kind: "job",
      id: "job",
      label: t("citizens.columns.job"),
      offered: sees("job"),
      placeholder: t("citizens.anyJob"),
    },
  ];
}
