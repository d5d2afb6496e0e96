import { createContext, useContext, useState, useSyncExternalStore } from "react";
import { isSame, valueAt } from "#core/forms/contract.ts";
import type { FormState } from "#core/forms/model.ts";
import type { ContractForm } from "#core/forms/useContractForm.ts";
import type { Translate } from "#core/i18n.ts";
import { useStore } from "#core/store.ts";
import { namesText } from "./names.ts";

export const FormContext = createContext<ContractForm | null>(null);

/** The form around a field. Throws outside of one. */
export function useFormAround(): ContractForm {
  const form = useContext(FormContext);
  if (!form) throw new Error("a field outside of a form");
  return form;
}

export function useFormState(): FormState {
  return useStore(useFormAround().model.state);
}

/** The value of a field, with each of its changes and none of those of other fields. */
export function useFormValue<T>(at: string): T {
  const { values } = useFormAround().model;
  // The library copies all values with each change, so objects are compared by their content.
  const [read] = useState(() => {
    let last: unknown;
    return () => {
      const next = valueAt(values.get(), at);
      if (!isSame(next, last)) last = next;
      return last as T;
    };
  });
  return useSyncExternalStore(values.subscribe, read);
}

/** A form of many switches would otherwise fill a phone's screen with names. */
const mostNames = 4;

/** The fields that are not saved: the first ones by their names, and how many more. */
export function unsavedNames(t: Translate, form: Pick<ContractForm, "fields">, { changed }: Pick<FormState, "changed">): string {
  const names = changed.map((field) => form.fields[field]?.label ?? field);
  return namesText(t, names, names.length, mostNames);
}

/** Keys pressed in an element with these properties do not close the dialog below. */
export const apart = { "data-mantine-stop-propagation": "true" };
