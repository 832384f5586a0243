/** The version that all Postern SDKs share; a test holds it to package.json. */
export const SDK_VERSION = '0.1.0';
