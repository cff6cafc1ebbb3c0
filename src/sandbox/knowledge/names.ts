/** Given names with the gender that LightTalk shows for their bearers. */
export const givenNames = {
  female: ["Amelia", "Clara", "Ines", "Noor", "Sofia", "Yuki", "Zola"],
  male: ["Arjun", "Bruno", "Emil", "Kofi", "Luca", "Mateo", "Sean"],
} as const;

/** Family names. */
export const familyNames = ["Abara", "Baker", "Castellan", "Dvorak", "Eklund", "Fontaine", "Guzman", "Hale"] as const;
