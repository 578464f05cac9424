// Airgap: what travels by picture.
