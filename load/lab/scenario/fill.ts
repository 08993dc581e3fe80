import type { Parameters } from './parameters.ts';

/**
 * Fills `{{ name }}` in a template. A text that is nothing but one placeholder becomes its value, so a number
 * stays a number.
 *
 * @throws Error when it names a parameter that is not given
 */
export function fill<T>(template: T, parameters: Parameters): T {
  if (typeof template === 'string') return filledText(template, parameters) as T;
  if (Array.isArray(template)) return template.map((item) => fill(item, parameters)) as T;
  if (typeof template === 'object' && template !== null) {
    const entries = Object.entries(template).map(([name, value]) => [name, fill(value, parameters)]);
    return Object.fromEntries(entries) as T;
  }
  return template;
}

const PLACEHOLDER = /\{\{\s*([a-z_]+)\s*\}\}/g;

function filledText(text: string, parameters: Parameters): number | string {
  const [whole] = text.matchAll(/^\{\{\s*([a-z_]+)\s*\}\}$/g);
  return whole === undefined
    ? text.replaceAll(PLACEHOLDER, (_, name: string) => String(parameterOf(name, parameters)))
    : parameterOf(whole[1] ?? '', parameters);
}

function parameterOf(name: string, parameters: Parameters): number | string {
  const value = parameters[name as keyof Parameters];
  if (value === undefined) {
    throw new Error(`the scenario has no parameter ${name}`);
  }
  return value;
}

/** The parameters that a template names. */
export function namesIn(template: unknown): string[] {
  return [...JSON.stringify(template).matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}
