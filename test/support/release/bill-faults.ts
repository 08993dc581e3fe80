import { type Spec, Validation } from '@cyclonedx/cyclonedx-library';

/** What the JSON schema of CycloneDX, in its strict form, finds wrong with a bill of materials. */
export async function billFaults(bill: string): Promise<readonly unknown[]> {
  const { specVersion } = JSON.parse(bill) as { specVersion: Spec.Version };
  const faults = await new Validation.JsonStrictValidator(specVersion).validate(bill);
  return (faults as readonly unknown[] | null) ?? [];
}
