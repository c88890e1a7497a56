export function signatureText(definition: string): string;
